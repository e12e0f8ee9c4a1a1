import pg from 'pg'
import { newestMigration } from '#server/backup/older-migrations.ts'
import { lastMigration } from '#server/backup/tables.ts'
import { StartError } from '#server/start-error.ts'

/** @throws StartError unless the database is a shop's, with the tables of this very version */
export async function mustBeOurs(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'ferrite-doctor' })
  client.on('error', () => {})
  await client.connect()
  const last = await lastMigration(client).finally(() => client.end())
  const newest = await newestMigration()
  if (last === newest) return
  if (last === null)
    throw new StartError('There is no shop in this database: look at DATABASE_URL.')
  throw new StartError(
    last < newest
      ? 'The database is that of an older version: start the shop once, which brings it up to this one, and try again.'
      : 'The database is that of a newer version: use that one.',
  )
}
