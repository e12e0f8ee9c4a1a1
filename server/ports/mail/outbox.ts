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
      await mkdir(folder, { recursive: true })
      const { message } = await transport.sendMail(compose(mail, from))
      const path = join(folder, `${mail.id}.eml`)
      await writeFile(`${path}.part`, message as Buffer)
      await rename(`${path}.part`, path)
    },
  }
}
