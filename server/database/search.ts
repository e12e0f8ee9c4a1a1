/** Search in rows. Each row has one searched text, whose trigram index finds any three characters. */
import { and, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { separators } from '#server/database/schema/columns.ts'

const everySeparator = new RegExp(separators, 'g')

/** The LIKE pattern of a word. One or two letters match at the beginning of words only. */
function patternOf(word: string): string {
  const spaced = word.replaceAll(everySeparator, '$& ').replaceAll(/[\\%_]/g, '\\$&')
  return /^[\p{L}\p{N}]{1,2}$/u.test(word) ? `% ${spaced}%` : `%${spaced}%`
}

/** The least similarity of a misspelled word, from 0 to 1: "grphics" finds "graphics", "fan" no "van". */
const alike = 0.5

/** Ids, addresses, numbers and short words are never taken for misspelled. */
const isPlain = (word: string) => /^\p{L}{4,}$/u.test(word)

/** The condition that a row has each word or a similar one; undefined when no word can be misspelled. */
export function resembles(text: PgColumn, q = ''): SQL | undefined {
  const words = q.split(/\s+/).filter(Boolean)
  if (!words.some(isPlain)) return undefined
  const held = words.map((word) => {
    const exact = sql`${text} like lower(${patternOf(word)})`
    return isPlain(word)
      ? sql`(${exact} or word_similarity(lower(${word}), ${text}) >= ${alike})`
      : exact
  })
  return and(...held)
}

/** The condition that a row's searched text has each word; undefined without words. */
export function mentions(text: PgColumn, q = ''): SQL | undefined {
  const words = q.split(/\s+/).filter(Boolean)
  return and(...words.map((word) => sql`${text} like lower(${patternOf(word)})`))
}
