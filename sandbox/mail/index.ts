import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { isFromThisMachine, refusalText } from '#sandbox/this-machine.ts'
import { listPage, type Mail, mailPage, messageDocument } from './documents.ts'

export type MailSandboxOptions = {
  /** The path this is mounted at, such as `/sandbox/mail`. */
  basePath: string
  /** Newest first. */
  recent(): Promise<Mail[]>
  find(id: string): Promise<Mail | undefined>
}

const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** A mail is a foreign document: no script, no origin, nothing loaded; a link of it leads the whole window. */
const messagePolicy =
  "sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'"

/** Shows what was mailed while no mail server is set, to the machine it runs on alone: mails hold links that open accounts. */
export function mailSandbox({ basePath, recent, find }: MailSandboxOptions): Hono {
  const sheet = readFileSync(join(import.meta.dirname, 'mail.css'), 'utf8')
  const app = new Hono()
  app.use(async (c, next) => {
    if (!isFromThisMachine(c)) return c.text(refusalText, 403)
    await next()
    c.header('cache-control', 'no-store')
    c.header('referrer-policy', 'no-referrer')
  })
  app.get('/', async (c) => show(c, pagePolicy, listPage(basePath, await recent())))
  app.get('/mail.css', (c) => c.body(sheet, 200, { 'content-type': 'text/css; charset=utf-8' }))
  app.get('/:id', async (c) => {
    const mail = await find(c.req.param('id'))
    return mail ? show(c, pagePolicy, mailPage(basePath, mail)) : c.notFound()
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
