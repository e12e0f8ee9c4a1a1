import { sql } from 'drizzle-orm'
import type { Queryable } from './client.ts'

/** Bookings of these parts wait meanwhile: about a tenth of a second. */
const atOnce = 25

/** Indexes the parts whose words changed by the thousand (`parts_to_index`), until none waits. Others that do it take turns. */
export async function indexParts(db: Queryable): Promise<void> {
  for (;;) {
    const { rows } = await db.execute<{ indexed: number }>(
      sql`select index_parts(${atOnce}) as indexed`,
    )
    if (!rows[0]?.indexed) return
  }
}
