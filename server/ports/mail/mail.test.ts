/** What every way of mailing must do, whatever its technology. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outboxMailer } from './outbox.ts'
import type { Mailer } from './port.ts'
import { smtpMailer } from './smtp.ts'

const from = 'Ferrite <shop@example.com>'
const mail = {
  id: '5f0c9f5e-1111-4222-8333-444455556666',
  recipient: 'ada@example.com',
  subject: 'Größe & "quotes"',
  text: 'Hello Ada,\n\nopen https://shop.example/x?token=abc\n',
  html: '<p>Hello Ada</p>',
}

type Delivery = { to: string[] | null; raw: string }
type Technology = { mailer: Mailer; last(): Promise<Delivery>; count(): Promise<number> }

let folder: string
let server: SMTPServer
const received: Delivery[] = []
const technologies: Record<string, Technology> = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ferrite-mail-'))
  const names = () => readdir(folder)
  technologies.outbox = {
    mailer: outboxMailer(folder, from),
    last: async () => ({ to: null, raw: await readFile(join(folder, `${mail.id}.eml`), 'utf8') }),
    count: async () => (await names()).length,
  }
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      text(stream).then((raw) => {
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw })
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  technologies.smtp = {
    mailer: smtpMailer(`smtp://127.0.0.1:${port}`, from),
    last: async () => received.at(-1) as Delivery,
    count: async () => received.length,
  }
})
afterAll(async () => {
  await new Promise<void>((resolve) => server.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

describe.each(['outbox', 'smtp'])('%s', (name) => {
  const technology = () => technologies[name] as Technology

  test('delivers one message with text, HTML, sender and a stable id', async () => {
    await technology().mailer.send(mail)
    expect(await technology().count()).toBe(1)
    const { to, raw } = await technology().last()
    if (to) expect(to).toEqual(['ada@example.com'])
    expect(raw).toMatch(/^From: Ferrite <shop@example\.com>/m)
    expect(raw).toMatch(/^To: ada@example\.com/m)
    expect(raw).toContain(`<${mail.id}@ferrite>`)
    expect(raw).toContain('text/plain')
    expect(raw).toContain('text/html')
    expect(raw).toContain('Hello Ada')
  })

  test('nothing in a mail adds a header or a recipient', async () => {
    const evil = {
      ...mail,
      recipient: 'ada@example.com\r\nBcc: eve@example.com',
      subject: 'Hi\r\nBcc: eve@example.com\r\n\r\nbody',
    }
    const sent = await technology()
      .mailer.send(evil)
      .then(() => technology().last())
      .catch(() => null)
    expect(sent?.raw ?? '').not.toMatch(/^Bcc:/im)
    expect(sent?.to ?? []).not.toContain('eve@example.com')
  })
})

test('the outbox is nobody else’s to read: it holds live links', async () => {
  expect((await stat(join(folder, `${mail.id}.eml`))).mode & 0o077).toBe(0)
})

test('a server that can not be reached is a failure, not a success', async () => {
  await expect(smtpMailer('smtp://127.0.0.1:9', from).send(mail)).rejects.toThrow()
})
