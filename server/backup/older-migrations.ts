import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

const Journal = z.looseObject({
  entries: z.array(z.looseObject({ when: z.number(), tag: z.string() })),
})

export const migrations = join(import.meta.dirname, '../../drizzle')

async function readJournal() {
  return Journal.parse(JSON.parse(await readFile(join(migrations, 'meta/_journal.json'), 'utf8')))
}

/** Does this version know the migration of that time? */
export async function knowsMigration(when: number): Promise<boolean> {
  return (await readJournal()).entries.some((entry) => entry.when === when)
}

/** The time of this version's last migration. */
export async function newestMigration(): Promise<number> {
  return Math.max(...(await readJournal()).entries.map(({ when }) => when))
}

/** Works with a folder of the migrations up to and with one, as an older version of the shop had them. */
export async function withMigrationsUpTo<T>(
  when: number,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ferrite-migrations-'))
  try {
    const journal = await readJournal()
    journal.entries = journal.entries.filter((entry) => entry.when <= when)
    await mkdir(join(folder, 'meta'))
    await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify(journal))
    for (const { tag } of journal.entries)
      await copyFile(join(migrations, `${tag}.sql`), join(folder, `${tag}.sql`))
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
