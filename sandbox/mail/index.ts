import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { html, raw } from 'hono/html'
import { type Page, sandboxPage } from '#sandbox/sandbox-page.ts'
import { isFromThisMachine, refusalText } from '#sandbox/this-machine.ts'
import { tokenAnswer } from '#sandbox/token.ts'

type MailSandboxOptions = {
  /** The path where this is mounted, such as `/sandbox/mail`. */
  basePath: string
  /** Required to see anything. */
  token: string
  /** Newest first. */
  recent(): Promise<Mail[]>
  find(id: string): Promise<Mail | undefined>
  /** The PDF that goes with a mail. */
  findPaper(id: string): Promise<Uint8Array | null>
}

const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/**
 * A mail is an untrusted document: no scripts, no origin, no requests; its links open in the whole
 * window.
 */
const messagePolicy =
  "sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'"

/**
 * Shows queued mail while no mail server is set, only to this machine and to browsers with the
 * token, because mails contain links that open accounts.
 */
export function mailSandbox({
  basePath,
  token,
  recent,
  find,
  findPaper,
}: MailSandboxOptions): Hono {
  const styles = readFileSync(join(import.meta.dirname, 'mail.css'), 'utf8')
  const app = new Hono()
  app.use(async (c, next) => {
    if (!isFromThisMachine(c)) return c.text(refusalText, 403)
    await next()
    c.header('cache-control', 'no-store')
    c.header('referrer-policy', 'no-referrer')
  })
  app.get('/mail.css', (c) => c.body(styles, 200, { 'content-type': 'text/css; charset=utf-8' }))
  app.use(async (c, next) => {
    const { pathname, search } = new URL(c.req.url)
    const asked = { url: pathname + search, cookies: c.req.header('cookie') }
    const answer = tokenAnswer(token, { ...asked, style: `${basePath}/mail.css` })
    return answer ? c.body(answer.body, answer.status, answer.headers) : next()
  })
  app.get('/', async (c) => show(c, pagePolicy, listPage(basePath, await recent())))
  app.get('/:id', async (c) => {
    const mail = await find(c.req.param('id'))
    return mail ? show(c, pagePolicy, mailPage(basePath, mail)) : c.notFound()
  })
  app.get('/:id/paper.pdf', async (c) => {
    const paper = await findPaper(c.req.param('id'))
    if (!paper) return c.notFound()
    c.header('content-type', 'application/pdf')
    return c.body(paper as Uint8Array<ArrayBuffer>)
  })
  app.get('/:id/message', async (c) => {
    const mail = await find(c.req.param('id'))
    if (!mail) return c.notFound()
    c.header('x-frame-options', 'SAMEORIGIN')
    return show(c, messagePolicy, messageDocument(mail))
  })
  return app
}

function show(c: Context, policy: string, page: unknown): Response {
  c.header('content-security-policy', policy)
  c.header('content-type', 'text/html; charset=utf-8')
  return c.body(String(page))
}

type Mail = {
  _id: string
  recipient: string
  subject: string
  text: string
  html: string
  createdAt: Date
  /** The number of the paper that goes with it. */
  paper: string | null
}

function page(basePath: string, title: string, content: Page): Page {
  return sandboxPage(
    title,
    `${basePath}/mail.css`,
    html`<p class="notice"><strong>Ferrite sandbox.</strong> No mail server is set, so mails are shown here and not sent. Mails that reset an admin’s password are only in the outbox folder.</p>
  <main>
    ${content}
  </main>`,
  )
}

const clock = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
})
const time = (moment: Date) =>
  html`<time datetime="${moment.toISOString()}">${clock.format(moment)}</time>`

const row = (basePath: string, { _id, subject, recipient, createdAt, paper }: Mail) => html`<li>
        <a href="${basePath}/${_id}">
          <span class="subject">${subject}</span>
          <span class="recipient">${recipient}${paper && `, with ${paper}.pdf`}</span>
          ${time(createdAt)}
        </a>
      </li>`

const nothing = html`<div class="empty">
      <h2>Nothing was mailed yet</h2>
      <p>Sign up or ask for a new password in the shop: its mail comes here.</p>
      <p><a class="button" href="/">To the shop</a></p>
    </div>`

/** Every mail, newest first. */
function listPage(basePath: string, mails: Mail[]): Page {
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

/** Text with its URLs as links. */
const linked = (text: string) =>
  text
    .split(address)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : piece))

/** One mail: its rendered form and its text. */
function mailPage(basePath: string, mail: Mail): Page {
  const { _id, subject, recipient, text, createdAt, paper } = mail
  return page(
    basePath,
    subject,
    html`<p><a href="${basePath}">All mails</a></p>
    <h1>${subject}</h1>
    <dl>
      <div><dt>To</dt><dd>${recipient}</dd></div>
      <div><dt>Time</dt><dd>${time(createdAt)}</dd></div>
      ${paper && html`<div><dt>PDF</dt><dd><a href="${basePath}/${_id}/paper.pdf">${paper}.pdf</a></dd></div>`}
    </dl>
    <h2>As it looks</h2>
    <iframe src="${basePath}/${_id}/message" title="The mail as it looks"></iframe>
    <h2>As text</h2>
    <pre>${linked(text)}</pre>`,
  )
}

/** The mail's own document as sent, except that its links leave the frame. */
function messageDocument(mail: Mail): Page {
  return raw(mail.html.replace('<head>', '<head>\n<base target="_top">'))
}
