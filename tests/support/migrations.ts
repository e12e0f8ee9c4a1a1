/** The migrations folder of a later version: ours, plus one migration for each of these texts. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { knownMigrations, migrationsFolder } from '#server/database/migrate.ts'

/**
 * @param texts the SQL of each migration
 * @returns a folder that is removed with the test
 */
export async function laterMigrations(texts: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ferrite-later-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(migrationsFolder, folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8'))
  const last = knownMigrations().at(-1) as number
  for (const [i, text] of texts.entries()) {
    const tag = `9${i}_later`
    await writeFile(join(folder, `${tag}.sql`), text)
    journal.entries.push({ ...journal.entries[0], idx: 900 + i, when: last + 1 + i, tag })
  }
  await writeFile(path, JSON.stringify(journal))
  return folder
}
