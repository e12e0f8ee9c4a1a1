/** The owner's explanations of search words, and the searches that no part matched. */
import { eq, sql } from 'drizzle-orm'
import { type SearchWords, wordLimits } from '#contracts/search.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database } from '#server/database/client.ts'
import { searchLog, searchWords } from '#server/database/schema/search.ts'
import { AppError, found } from '#server/errors.ts'
import { tokenize } from './parse-query.ts'

/**
 * Normalizes a word as searches do; several tokens become one word.
 * @throws AppError INVALID without a letter or digit
 */
function keyOf(word: string): string {
  const key = tokenize(word).join('').replaceAll('.', '')
  if (key) return key
  throw new AppError('INVALID', 'word: has no letter or digit', { word: 'has no letter or digit' })
}

export async function listWords(db: Database): Promise<SearchWords> {
  const [words, missed] = await Promise.all([
    db.select().from(searchWords).orderBy(searchWords.word),
    db.execute<SearchWords['missed'][number]>(sql`
      select words, sum(asked)::int as asked, max(day)::text as "lastDay",
        (array_agg(found order by day desc))[1] as found
      from ${searchLog} l where not exists (select from ${searchWords} w where w.word = replace(l.words, ' ', ''))
      group by words order by asked desc, words limit ${wordLimits.searches}`),
  ])
  return { words, missed: missed.rows }
}

/** Sets the additional meanings of a word. */
export async function explainWord(
  db: Database,
  actor: Caller,
  { word, means }: { word: string; means: string[] },
): Promise<void> {
  const key = keyOf(word)
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(searchWords)
      .where(eq(searchWords.word, key))
      .for('update')
    await tx
      .insert(searchWords)
      .values({ word: key, means })
      .onConflictDoUpdate({ target: searchWords.word, set: { means } })
    const detail = { word: key, from: before?.means.join(', ') ?? null, to: means.join(', ') }
    await logActions(tx, [{ actor, userId: actor._id, action: 'search word changed', detail }])
  })
}

/** Deletes the explanation of a word. @throws AppError NOT_FOUND when it has none */
export async function forgetWord(db: Database, actor: Caller, word: string): Promise<void> {
  const key = keyOf(word)
  await db.transaction(async (tx) => {
    const [gone] = await tx.delete(searchWords).where(eq(searchWords.word, key)).returning()
    const detail = { word: key, from: found(gone, 'word').means.join(', '), to: null }
    await logActions(tx, [{ actor, userId: actor._id, action: 'search word changed', detail }])
  })
}

/** The most distinct searches to count between two writes, and per day. */
const maxWaiting = 500
const maxPerDay = 2_000

/**
 * Counts searches that no part matched as typed. Collects them in memory until a job writes them,
 * so that searches do not write to the database. Stopping the shop loses about a minute of them.
 */
export function missedSearches(db: Database) {
  let waiting = new Map<string, { found: number; asked: number }>()
  return {
    note(query: string, foundCount: number): void {
      const words = tokenize(query).join(' ')
      const counts = waiting.get(words)
      if (!words || (!counts && waiting.size >= maxWaiting)) return
      waiting.set(words, { found: foundCount, asked: (counts?.asked ?? 0) + 1 })
    },
    async write(): Promise<void> {
      if (waiting.size === 0) return
      const rows = [...waiting].map(([words, counts]) => ({ words, ...counts }))
      waiting = new Map()
      await db.execute(sql`
        insert into ${searchLog} as logged (day, words, found, asked)
        select current_date, words, found, asked
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) missed (words text, found int, asked int)
        on conflict (day, words) do update set found = excluded.found, asked = logged.asked + excluded.asked`)
      // a flood of one-time nonsense displaces only itself: more frequent searches stay
      await db.execute(sql`
        delete from ${searchLog} where day = current_date and words in (
          select words from ${searchLog} where day = current_date order by asked desc, random() offset ${maxPerDay})`)
    },
  }
}
export type MissedSearches = ReturnType<typeof missedSearches>
