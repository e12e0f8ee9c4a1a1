import { access, constants, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Mailer } from './port.ts'
import { compose } from './smtp.ts'

/** Writes each mail as an `.eml` file, so that the shop works without a mail server. */
export function outboxMailer(folder: string, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  // reset links open accounts, so only the owner of the process may read them
  const open = () => mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    async send(mail) {
      await open()
      const { message } = await transport.sendMail(compose(mail, from))
      const path = join(folder, `${mail.id}.eml`)
      await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${path}.part`, path)
    },
    async verify() {
      await open()
      await access(folder, constants.W_OK)
    },
  }
}

/** Removes older files, even when mail now goes by SMTP. @returns how many */
export async function purgeOutbox(folder: string, before: Date): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  let gone = 0
  for (const name of names.filter((file) => /\.eml(\.part)?$/.test(file))) {
    const path = join(folder, name)
    // another process may have removed it
    const written = await stat(path).catch(() => null)
    if (!written || written.mtime >= before) continue
    await rm(path, { force: true })
    gone += 1
  }
  return gone
}
