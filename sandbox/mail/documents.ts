import { html } from 'hono/html'

export type Mail = {
  _id: string
  recipient: string
  subject: string
  text: string
  html: string
  createdAt: Date
}

type Page = ReturnType<typeof html>

function page(basePath: string, title: string, content: Page): Page {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>${title} · Ferrite sandbox</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="${basePath}/mail.css">
</head>
<body>
  <p class="notice"><strong>Ferrite sandbox.</strong> No mail server is set, so mails are shown here and sent to nobody. Mails that reset an admin’s password are only in the outbox folder.</p>
  <main>
    ${content}
  </main>
</body>
</html>`
}

const clock = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
})
const time = (moment: Date) =>
  html`<time datetime="${moment.toISOString()}">${clock.format(moment)}</time>`

const row = (basePath: string, { _id, subject, recipient, createdAt }: Mail) => html`<li>
        <a href="${basePath}/${_id}">
          <span class="subject">${subject}</span>
          <span class="recipient">${recipient}</span>
          ${time(createdAt)}
        </a>
      </li>`

const nothing = html`<div class="empty">
      <h2>Nothing was mailed yet</h2>
      <p>Sign up or ask for a new password in the shop: its mail comes here.</p>
      <p><a class="button" href="/">To the shop</a></p>
    </div>`

/** Every mail, newest first. */
export function listPage(basePath: string, mails: Mail[]): Page {
  return page(
    basePath,
    'Mailbox',
    html`<header>
      <h1>Mailbox</h1>
      <a class="button" href="${basePath}">Refresh</a>
    </header>
    ${mails.length > 0 ? html`<ul class="mails">${mails.map((mail) => row(basePath, mail))}</ul>` : nothing}`,
  )
}

const address = /(https?:\/\/[^\s<>"]+)/

/** Text with its addresses made links. */
const linked = (text: string) =>
  text
    .split(address)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : piece))

/** One mail: as it looks, and its text. */
export function mailPage(basePath: string, mail: Mail): Page {
  const { _id, subject, recipient, text, createdAt } = mail
  return page(
    basePath,
    subject,
    html`<p><a href="${basePath}">All mails</a></p>
    <h1>${subject}</h1>
    <dl>
      <div><dt>To</dt><dd>${recipient}</dd></div>
      <div><dt>Time</dt><dd>${time(createdAt)}</dd></div>
    </dl>
    <h2>As it looks</h2>
    <iframe src="${basePath}/${_id}/message" title="The mail as it looks"></iframe>
    <h2>As text</h2>
    <pre>${linked(text)}</pre>`,
  )
}

/** The mail's own document as it was sent, but that its links leave the frame. */
export const messageDocument = (mail: Mail): string =>
  mail.html.replace('<head>', '<head>\n<base target="_top">')
