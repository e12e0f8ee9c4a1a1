import { contact } from '#web/content/contact.ts'
import { mailLayout } from './layout.ts'

/** A line of a mail's table: label and value. */
export type Fact = [label: string, value: string]

type MailTemplate = {
  subject: string
  /** The name to greet, if any. */
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

/** The shop's contact, at the end of each mail. */
const sender = `Ferrite, ${contact.phone}, ${contact.email}`

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

const paragraph = (text: string, className?: string) =>
  `<p${className ? ` class="${className}"` : ''}>${escaped(text)}</p>`

function table(facts: Fact[]): string {
  const rows = facts.map(
    ([label, value]) => `<tr><th scope="row">${escaped(label)}</th><td>${escaped(value)}</td></tr>`,
  )
  return rows.length > 0 ? `<table><tbody>\n${rows.join('\n')}\n</tbody></table>` : ''
}

/** Letters and the marks between them, which write no URL, amount or number. */
const nameLike = /^[\p{L}\p{M}](?:[\p{L}\p{M}'’ -]|\.(?= |$)){0,39}$/u

/** Greets only by what can be nothing but a name: a stranger may have entered the reader's address. */
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
  const body = [
    '<p class="shop">Ferrite</p>',
    `<h1>${escaped(subject)}</h1>`,
    ...[greeting, ...lines].map((line) => paragraph(line)),
    table(facts),
    `<p><a class="action" href="${escaped(action.url)}">${escaped(action.label)}</a></p>`,
    also ? `<p><a href="${escaped(also.url)}">${escaped(also.label)}</a></p>` : '',
    end ? paragraph(end, 'end') : '',
    paragraph(sender, 'end'),
  ]
  const html = mailLayout(escaped(subject), body.filter(Boolean).join('\n'))
  return { subject, text: `${text.join('\n\n')}\n`, html }
}
