/** The mails of a shop without a mail server: the files in its outbox folder. */
import { readdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/**
 * The links in this address's mails that contain the text, in the subject, the body or the link.
 */
export async function linksMailedTo(
  shop: { dataDir: string },
  email: string,
  text: string,
): Promise<string[]> {
  const folder = join(shop.dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  const links: string[] = []
  for (const name of names.filter((file) => file.endsWith('.eml'))) {
    const written = await readFile(join(folder, name), 'utf8')
    const mail = written.replaceAll('=\n', '').replaceAll('=3D', '=')
    const link = mail.match(/http:\/\/\S+/)?.[0]
    if (link && mail.includes(`To: ${email}`) && mail.includes(text)) links.push(link)
  }
  return links
}

/** The link in the first such mail; null until it arrives. */
export async function linkMailedTo(
  shop: { dataDir: string },
  email: string,
  text: string,
): Promise<string | null> {
  return (await linksMailedTo(shop, email, text))[0] ?? null
}

/** A mail server that counts how often each mail arrives. */

export type MailReceiver = {
  url: string
  /** How often each mail arrived, by the shop's mail id. */
  arrived: Map<string, number>
  close(): Promise<void>
}

/**
 * @param port a free one by default
 * @param accept waited for before each mail is accepted
 */
export async function receiveMail(
  port = 0,
  accept: () => Promise<unknown> = async () => {},
): Promise<MailReceiver> {
  const arrived = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _, callback) {
      text(stream).then((raw) => {
        const id = /^Message-ID: <(.+)@ferrite>/im.exec(raw)?.[1] ?? 'no id'
        arrived.set(id, (arrived.get(id) ?? 0) + 1)
        return accept().then(() => callback())
      }, callback)
    },
  })
  // senders are expected to die
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const listening = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${listening.port}`,
    arrived,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
