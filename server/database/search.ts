/** Words in rows. What a row is searched by is one text; the index of its trigrams finds any three characters of it. */
import { and, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { separators } from '#server/database/schema/columns.ts'

const everySeparator = new RegExp(separators, 'g')

/** A word as the pattern of LIKE that finds it. One or two letters are looked for where words begin. */
function patternOf(word: string): string {
  const spaced = word.replaceAll(everySeparator, '$& ').replaceAll(/[\\%_]/g, '\\$&')
  return /^[\p{L}\p{N}]{1,2}$/u.test(word) ? `% ${spaced}%` : `%${spaced}%`
}

/** How alike a word and the nearest of the text must be, of 1: "grphics" is found in "graphics", "fan" in no "van". */
const alike = 0.5

/** Ids, addresses and figures are meant as they are written; so are words too short to tell what they should be. */
const isPlain = (word: string) => /^\p{L}{4,}$/u.test(word)

/** Does a row hold each word of the question, or one that is nearly written so? Undefined when none can be misspelled. */
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

/** Does a row, by its search text, hold each word of the question? Undefined for a question without words. */
export function mentions(text: PgColumn, q = ''): SQL | undefined {
  const words = q.split(/\s+/).filter(Boolean)
  return and(...words.map((word) => sql`${text} like lower(${patternOf(word)})`))
}
