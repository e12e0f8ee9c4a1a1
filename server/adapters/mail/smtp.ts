import { createTransport } from 'nodemailer'
import type { Mail, Mailer } from './port.ts'
import { describeSmtpError } from './smtp-failure.ts'

/** The message for both adapters; nodemailer encodes every header. */
export function compose(mail: Mail, from: string) {
  return {
    from,
    to: { name: '', address: mail.recipient },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@ferrite>`,
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
  return {
    async send(mail) {
      await transport.sendMail(compose(mail, from)).catch(rethrow)
    },
    async verify() {
      await transport.verify().catch(rethrow)
    },
  }
}
