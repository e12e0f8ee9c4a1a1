import { createTransport } from 'nodemailer'
import { sampleName } from '#contracts/shop.ts'
import { KeyRefused } from '#server/errors.ts'
import { type Mail, type Mailer, MailFailure } from './port.ts'

/**
 * nodemailer's error. `response` is the server's line, `command` the command that it responds to.
 */
type SmtpError = Error & {
  code?: string
  command?: string
  response?: string
  responseCode?: number
}

/**
 * Whether the server permanently refuses the recipient's address. Servers also respond to RCPT TO
 * with complaints about the sender or the shop (5.7.x, 5.1.7, 5.1.8: relaying, a wrong MAIL_FROM),
 * which end when the settings are right.
 */
function isRecipientRefused({ code, command, response, responseCode }: SmtpError): boolean {
  if (code !== 'EENVELOPE') return false
  // nodemailer itself refuses the address
  if (command === 'API') return true
  if (command !== 'RCPT TO' || !responseCode || responseCode < 500) return false
  return !/^\d{3}[ -]5\.(?:7\.\d+|1\.[78])\b|relay|sender/i.test(response ?? '')
}

const untrusted = /SELF_SIGNED|CERT|UNABLE_TO_(?:GET|VERIFY)|ALTNAME/

/** The code of the cause: of the socket or of TLS. */
const codesOf = (error: SmtpError) => `${error.code ?? ''} ${error.message}`

const isKeyRefused = ({ code = '' }: SmtpError) => code === 'EAUTH' || code === 'ENOAUTH'

/** Describes a connection error; the library's message follows. */
function smtpProblem(error: SmtpError, url: URL): string {
  const { code = '', message } = error
  const where = `The mail server ${url.host}`
  if (isKeyRefused(error)) return `${where} refuses the user or password of the shop (SMTP_URL)`
  if (untrusted.test(codesOf(error)) || /certificate/i.test(message)) {
    return `The certificate of the mail server ${url.host} is not trusted`
  }
  if (/wrong version number|packet length too long/i.test(message)) {
    return `${where} does not begin with TLS: write smtp:// instead of smtps:// in SMTP_URL`
  }
  if (code === 'EDNS') return `The name of the mail server ${url.host} is not known`
  if (['ESOCKET', 'ECONNECTION', 'ETIMEDOUT', 'ETLS'].includes(code))
    return `${where} cannot be reached`
  // before the sender or after the mail; from the server, or from the library on its behalf
  if (/size (?:larger|exceed)|too (?:big|large)|\b5\.3\.4\b/i.test(error.response ?? message)) {
    return `${where} takes no mail of this size`
  }
  if (error.command === 'MAIL FROM') return `${where} refuses the sender MAIL_FROM`
  return `${where} refuses the mail`
}

/**
 * Describes a failure of nodemailer and what to check. @param url SMTP_URL; its password is never
 * shown
 */
function describeSmtpError(error: unknown, url: URL): MailFailure {
  const smtp: SmtpError = error instanceof Error ? error : new Error(String(error))
  const response = smtp.response ?? smtp.message
  const final = isRecipientRefused(smtp)
  const what = final ? 'The mail server refuses the address' : smtpProblem(smtp, url)
  return new MailFailure(`${what}: ${response}`, { final, cause: error })
}

/**
 * The sender: under the shop's name or, while that is the sample's, under the name in MAIL_FROM.
 */
function senderOf(from: string, name: string | undefined) {
  const [, address = from] = /<([^<>]+)>\s*$/.exec(from) ?? []
  if (!name || (address !== from && name === sampleName)) return from
  return { name, address }
}

/** The message for both adapters; nodemailer encodes every header. */
export function compose(mail: Mail, from: string) {
  const { attachment } = mail
  return {
    from: senderOf(from, mail.senderName),
    to: { name: '', address: mail.recipient },
    ...(mail.replyTo && { replyTo: { name: '', address: mail.replyTo } }),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@ferrite>`,
    ...(attachment && {
      attachments: [
        {
          filename: attachment.name,
          contentType: attachment.type,
          content: Buffer.from(attachment.content),
        },
      ],
    }),
  }
}

/** Mail by SMTP. @param url smtp:// or smtps:// with user and password */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(url, {
    dnsTimeout: 5_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  } as object)
  const rethrow = (error: unknown) => {
    throw describeSmtpError(error, new URL(url))
  }
  const rethrowVerified = (error: SmtpError) => {
    const failure = describeSmtpError(error, new URL(url))
    if (isKeyRefused(error)) throw new KeyRefused('mail', failure.message, failure.message)
    throw failure
  }
  return {
    async send(mail) {
      await transport.sendMail(compose(mail, from)).catch(rethrow)
    },
    async verify() {
      await transport.verify().catch(rethrowVerified)
    },
  }
}
