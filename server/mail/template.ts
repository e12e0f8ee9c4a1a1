import { html, raw } from 'hono/html'
import { shopSlots } from './shop-slots.ts'

/** A line of a mail's table: label and value. */
export type Fact = [label: string, value: string]

type MailTemplate = {
  subject: string
  /** The name in the greeting, if any. */
  name?: string
  lines: string[]
  /** The mail's table. */
  facts?: Fact[]
  /** The button. */
  action: Link
  /** A second link. */
  also?: Link | undefined
  end?: string
}

type Link = { label: string; url: string }

/** Whether the shop is away, and its contact details, at the end of each mail. */
const sender = `${shopSlots.vacation}${shopSlots.signature}${shopSlots.name}, ${shopSlots.phone}, ${shopSlots.email}`

// the colours of web/styles/tokens.css: mail clients support neither light-dark() nor our fonts
const style = `body { margin: 0; padding: 24px 16px; background: #f5f2ec; color: #17191b;
  font: 400 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
.layout { max-width: 536px; margin: 0 auto; padding: 28px 24px; border-radius: 20px; background: #fffdf9;
  overflow-wrap: anywhere; }
.shop { margin: 0 0 20px; color: #a84f17; font-weight: 700; }
h1 { margin: 0 0 16px; font-size: 24px; line-height: 1.2; text-wrap: balance; }
p { margin: 0 0 16px; }
table { width: 100%; margin: 0 0 24px; border-collapse: collapse; }
th, td { padding: 10px 0; border-top: 1px solid #ddd6ca; vertical-align: top; }
tr:last-child th, tr:last-child td { border-bottom: 1px solid #ddd6ca; }
th { width: 35%; padding-right: 12px; overflow-wrap: normal; color: #5c6166; font-weight: 400; text-align: left; }
td { text-align: right; text-wrap: balance; font-variant-numeric: tabular-nums; }
.action { display: inline-block; padding: 12px 24px; border-radius: 999px; background: #a84f17;
  color: #fffdf9; font-weight: 600; text-decoration: none; }
a { color: #a84f17; }
.end { margin: 8px 0 0; white-space: pre-line; color: #5c6166; font-size: 14px; }
@media (prefers-color-scheme: dark) {
  body { background: #131517; color: #f1ede6; }
  .layout { background: #1b1e21; }
  .shop { color: #e8935a; }
  th, td { border-color: #2e3236; }
  tr:last-child th, tr:last-child td { border-color: #2e3236; }
  th, .end { color: #a5a9ad; }
  a { color: #e8935a; }
  .action { background: #e8935a; color: #1b1005; }
}`

type Markup = ReturnType<typeof html>

/** The HTML document of a mail: light and dark, from a phone to a wide window. */
function mailLayout(title: string, body: Markup): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
${raw(style)}
</style>
</head>
<body>
<div class="layout">
${body}
</div>
</body>
</html>
`
}

const table = (facts: Fact[]) => html`<table><tbody>
${facts.map(
  ([label, value]) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>
`,
)}</tbody></table>`

/** Letters and name punctuation, which cannot form a URL, amount or number. */
const nameLike = /^[\p{L}\p{M}](?:[\p{L}\p{M}'’ -]|\.(?= |$)){0,39}$/u

/**
 * Greets by name only if the text can only be a name: a stranger may have entered the reader's
 * address.
 */
const greetingFor = (name = '') => (nameLike.test(name) ? `Hello ${name},` : 'Hello,')

/** Renders a mail as text and as HTML that loads nothing. */
export function mailTemplate(template: MailTemplate): {
  subject: string
  text: string
  html: string
} {
  const { subject, name, lines, facts = [], action, also, end } = template
  const greeting = greetingFor(name)
  const text = [
    greeting,
    ...lines,
    ...(facts.length > 0 ? [facts.map((fact) => fact.join(': ')).join('\n')] : []),
    ...[action, ...(also ? [also] : [])].map(({ label, url }) => `${label}: ${url}`),
    ...(end ? [end] : []),
    sender,
  ]
  const content = html`<p class="shop">${shopSlots.name}</p>
<h1>${subject}</h1>
${[greeting, ...lines].map((line) => html`<p>${line}</p>\n`)}${facts.length > 0 && table(facts)}
<p><a class="action" href="${action.url}">${action.label}</a></p>
${also && html`<p><a href="${also.url}">${also.label}</a></p>`}
${end && html`<p class="end">${end}</p>`}
<p class="end">${sender}</p>`
  return { subject, text: `${text.join('\n\n')}\n`, html: String(mailLayout(subject, content)) }
}
