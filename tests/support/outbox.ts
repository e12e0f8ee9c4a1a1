/** What a shop mailed while no mail server is configured: the files of its outbox folder. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The links in the mails to this address that have this text, subject and link included. */
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

/** The link in the first such mail; null until it is there. */
export async function linkMailedTo(
  shop: { dataDir: string },
  email: string,
  text: string,
): Promise<string | null> {
  return (await linksMailedTo(shop, email, text))[0] ?? null
}
