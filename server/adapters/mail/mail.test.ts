/** Requirements for every mail adapter. */
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { outboxMailer, purgeOutbox } from './outbox.ts'
import { type Mailer, MailFailure } from './port.ts'
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
    await technology().mailer.send({ ...mail, replyTo: 'hello@kiln.example' })
    expect(await technology().count()).toBe(1)
    const { to, raw } = await technology().last()
    if (to) expect(to).toEqual(['ada@example.com'])
    expect(raw).toMatch(/^From: Ferrite <shop@example\.com>/m)
    expect(raw).toMatch(/^To: ada@example\.com/m)
    expect(raw).toMatch(/^Reply-To: hello@kiln\.example/m)
    expect(raw).toContain(`<${mail.id}@ferrite>`)
    expect(raw).toContain('text/plain')
    expect(raw).toContain('text/html')
    expect(raw).toContain('Hello Ada')
  })

  test('delivers a file with the mail', async () => {
    const content = new TextEncoder().encode('%PDF-1.7 …')
    const name = '2026-I-00041.pdf'
    const attachment = { name, type: 'application/pdf', content }
    await technology().mailer.send({ ...mail, attachment })
    const { raw } = await technology().last()
    expect(raw).toMatch(/^Content-Type: application\/pdf; name=2026-I-00041\.pdf/m)
    expect(raw).toMatch(/^Content-Disposition: attachment; filename=2026-I-00041\.pdf/m)
    expect(raw).toContain(Buffer.from(content).toString('base64'))
    await technology().mailer.send({ ...mail, attachment: null })
    expect((await technology().last()).raw).not.toContain('application/pdf')
  })

  test('nothing in a mail adds a header or a recipient', async () => {
    const evil = {
      ...mail,
      recipient: 'ada@example.com\r\nBcc: eve@example.com',
      subject: 'Hi\r\nBcc: eve@example.com\r\n\r\nbody',
    }
    const lastMail = await technology()
      .mailer.send(evil)
      .then(() => technology().last())
      .catch(() => null)
    expect(lastMail?.raw ?? '').not.toMatch(/^Bcc:/im)
    expect(lastMail?.to ?? []).not.toContain('eve@example.com')
  })
})

test('only its owner can read the outbox: it holds live links', async () => {
  expect((await stat(join(folder, `${mail.id}.eml`))).mode & 0o077).toBe(0)
})

/** A server's refusal with this line. */
const refusalError = (line: string) =>
  Object.assign(new Error(line.slice(4)), { responseCode: Number(line.slice(0, 3)) })

describe('a mail server that refuses', () => {
  type Refusal = { rcpt?: string; from?: string; data?: string }
  let refusing: SMTPServer
  let url: string
  const refusal: Refusal = {}

  beforeAll(async () => {
    refusing = new SMTPServer({
      authMethods: ['PLAIN'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) =>
        done(username === 'shop' && password === 'right' ? null : new Error('wrong'), {
          user: 'shop',
        }),
      onMailFrom: (_, __, done) => done(refusal.from ? refusalError(refusal.from) : null),
      onRcptTo: (_, __, done) => done(refusal.rcpt ? refusalError(refusal.rcpt) : null),
      onData(stream, _, done) {
        stream.resume().on('end', () => done(refusal.data ? refusalError(refusal.data) : null))
      },
    })
    refusing.on('error', () => {})
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
    url = `127.0.0.1:${(refusing.server.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise<void>((resolve) => refusing.close(resolve)))

  const mailer = (password = 'right', scheme = 'smtp') =>
    // the test server's certificate is self-signed
    smtpMailer(`${scheme}://shop:${password}@${url}?tls.rejectUnauthorized=false`, from)

  test.each<[Refusal, boolean, RegExp]>([
    [{ rcpt: '550 No such user here' }, true, /refuses the address: 550 No such user here/],
    [{ rcpt: '550 5.1.1 User unknown' }, true, /refuses the address: 550 5\.1\.1/],
    [{ rcpt: '552 5.2.2 Mailbox full' }, true, /refuses the address/],
    [{ rcpt: '450 4.2.1 Try later' }, false, /refuses the mail: 450/],
    [{ rcpt: '554 5.7.1 Relay access denied' }, false, /refuses the mail: 554/],
    [{ rcpt: '553 5.7.1 Sender address rejected: not owned by user' }, false, /553/],
    [{ from: '550 5.1.8 Bad sender' }, false, /refuses the sender MAIL_FROM: 550/],
    [{ data: '554 5.6.0 Spam' }, false, /refuses the mail: 554/],
  ])('%o: given up at once is %s', async (input, final, sentence) => {
    Object.assign(refusal, { rcpt: '', from: '', data: '' }, input)
    const error = await mailer()
      .send(mail)
      .catch((failure) => failure)
    expect(error).toBeInstanceOf(MailFailure)
    expect([error.final, error.message]).toEqual([final, expect.stringMatching(sentence)])
  })

  test('reports what is wrong when tried: the password, the certificate, missing TLS', async () => {
    await mailer().verify()
    await expect(mailer('wrong').verify()).rejects.toThrow(
      `The mail server ${url} refuses the user or password of the shop (SMTP_URL)`,
    )
    await expect(smtpMailer(`smtp://shop:right@${url}`, from).verify()).rejects.toThrow(
      `The certificate of the mail server ${url} is not trusted`,
    )
    await expect(mailer('right', 'smtps').verify()).rejects.toThrow(
      'write smtp:// instead of smtps:// in SMTP_URL',
    )
    await expect(smtpMailer('smtp://127.0.0.1:9', from).verify()).rejects.toThrow(
      'The mail server 127.0.0.1:9 cannot be reached: connect ECONNREFUSED',
    )
    await expect(mailer('secret-word').verify()).rejects.not.toThrow('secret-word')
  })
})

describe('a mail server that takes mail', () => {
  const open: SMTPServer[] = []
  afterEach(() =>
    Promise.all(
      open.splice(0).map((one) => new Promise<void>((resolve) => one.close(() => resolve()))),
    ),
  )

  type Came = { secure: boolean; user: string | undefined; raw: string }
  /** A server with password login, and the mails that it received. */
  async function serve(options: SMTPServerOptions = {}) {
    const took: Came[] = []
    const taking = new SMTPServer({
      onAuth: ({ username, password }, _, done) =>
        done(password === 'pass:w@rd' ? null : new Error('wrong'), { user: username ?? '' }),
      onData(stream, { secure, user }, done) {
        text(stream).then((raw) => {
          if (stream.sizeExceeded) return done(refusalError('552 5.3.4 Message too big'))
          took.push({ secure, user: user?.toString(), raw })
          done()
        }, done)
      },
      ...options,
    })
    open.push(taking)
    taking.on('error', () => {})
    await new Promise<void>((resolve) => taking.listen(0, '127.0.0.1', resolve))
    const { port } = taking.server.address() as AddressInfo
    const scheme = options.secure ? 'smtps' : 'smtp'
    const user = 'shop%40shop.example:pass%3Aw%40rd'
    // the test server's certificate is self-signed
    const url = `${scheme}://${user}@127.0.0.1:${port}?tls.rejectUnauthorized=false`
    return { took, mailer: smtpMailer(url, from) }
  }

  test.each([
    ['after STARTTLS', {}],
    ['from the first byte', { secure: true }],
  ])('gets it encrypted %s, with user and password', async (_, options) => {
    const { took, mailer } = await serve(options)
    await mailer.verify()
    await mailer.send(mail)
    expect(took).toEqual([
      { secure: true, user: 'shop@shop.example', raw: expect.stringContaining(mail.id) },
    ])
  })

  test('later than at the first try gets it once, the same one: greylisting', async () => {
    let tries = 0
    const { took, mailer } = await serve({
      onRcptTo: (_, __, done) => {
        tries += 1
        done(tries === 1 ? refusalError('451 4.7.1 Greylisted, come back in 5 minutes') : null)
      },
    })
    await expect(mailer.send(mail)).rejects.toMatchObject({
      final: false,
      message: expect.stringMatching(/refuses the mail: 451 4\.7\.1 Greylisted/),
    })
    await mailer.send(mail)
    expect(took).toHaveLength(1)
    expect(took[0]?.raw).toContain(`<${mail.id}@ferrite>`)
  })

  test.each([
    ['says so before', 500, {}],
    ['says so after it', 500, { hideSize: true }],
  ])('but none of this size, and %s, is no fault of address or sender', async (_, size, more) => {
    const { took, mailer } = await serve({ size, ...more })
    await expect(mailer.send(mail)).rejects.toMatchObject({
      final: false,
      message: expect.stringMatching(/^The mail server 127.*takes no mail of this size: /),
    })
    expect(took).toEqual([])
  })
})

test('a mail to an invalid address is given up', async () => {
  const invalidMail = { ...mail, recipient: 'ada@example.com\r\nx' }
  const error = await smtpMailer('smtp://127.0.0.1:9', from)
    .send(invalidMail)
    .catch((failure) => failure)
  expect(error).toBeInstanceOf(MailFailure)
})

test('messages of the outbox go when they are old', async () => {
  const old = join(folder, 'old.eml')
  await writeFile(old, 'x')
  await utimes(old, 0, 0)
  const count = (await readdir(folder)).length
  expect(await purgeOutbox(folder, new Date(Date.now() - 86_400_000))).toBe(1)
  expect(await readdir(folder)).toHaveLength(count - 1)
})

test('a server that cannot be reached is a failure, not a success', async () => {
  await expect(smtpMailer('smtp://127.0.0.1:9', from).send(mail)).rejects.toThrow()
})
