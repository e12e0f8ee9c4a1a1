/** What a shop mailed while no mail server is configured: the files of its outbox folder. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The link in the mail to this address that has this text, subject and link included; null until it is there. */
export async function linkMailedTo(
  shop: { dataDir: string },
  email: string,
  text: string,
): Promise<string | null> {
  const folder = join(shop.dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((file) => file.endsWith('.eml'))) {
    const written = await readFile(join(folder, name), 'utf8')
    const mail = written.replaceAll('=\n', '').replaceAll('=3D', '=')
    if (mail.includes(`To: ${email}`) && mail.includes(text)) {
      return mail.match(/http:\/\/\S+/)?.[0] ?? null
    }
  }
  return null
}
