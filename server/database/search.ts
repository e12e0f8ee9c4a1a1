import { and, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

const literally = (word: string) => word.replaceAll(/[\\%_]/g, '\\$&')

/** Does the text, which is in small letters, hold each word of the question somewhere? Without words, every text does. */
export function mentions(text: PgColumn | SQL, q = ''): SQL | undefined {
  const words = q.split(/\s+/).filter(Boolean)
  return and(...words.map((word) => sql`${text} like lower(${`%${literally(word)}%`})`))
}
