import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Mailer } from './port.ts'
import { compose } from './smtp.ts'

/** Mail as `.eml` files in a folder, one a message: the shop works before its owner has a mail server. */
export function outboxMailer(folder: string, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    async send(mail) {
      // reset links are keys to accounts: for the owner of the process alone
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const { message } = await transport.sendMail(compose(mail, from))
      const path = join(folder, `${mail.id}.eml`)
      await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${path}.part`, path)
    },
  }
}
