import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Images } from '#server/adapters/images/port.ts'
import type { Database } from '#server/database/client.ts'

const batch = 100

const nobodyShows = sql`not exists (select from parts where image = pictures.url)
  and not exists (select from orders where image = pictures.url)`

/**
 * Removes pictures that were uploaded a day ago and that no part and no order shows.
 * @returns how many
 */
export async function removeOrphans(deps: {
  db: Database
  images: Images
  log: Logger
}): Promise<number> {
  const orphans = await deps.db.transaction(async (tx) => {
    const { rows: old } = await tx.execute<{ url: string }>(sql`
      select url from pictures where created_at < now() - interval '24 hours' and ${nobodyShows}
      limit ${batch} for update skip locked`)
    if (old.length === 0) return []
    const urls = sql.join(
      old.map(({ url }) => sql`${url}`),
      sql`, `,
    )
    // asked again under the lock: who puts a picture on a part holds its row until that can be seen here
    const { rows } = await tx.execute<{ url: string }>(
      sql`delete from pictures where url in (${urls}) and ${nobodyShows} returning url`,
    )
    return rows
  })
  for (const { url } of orphans) await deps.images.remove(url)
  if (orphans.length > 0) deps.log.info({ count: orphans.length }, 'removed pictures nobody shows')
  return orphans.length
}
