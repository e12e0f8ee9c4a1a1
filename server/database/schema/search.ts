import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/** The owner's synonyms: what else a search word means. */
export const searchWords = pgTable(
  'search_words',
  {
    /** A folded word, or several joined, such as 'cpu cooler'. */
    word: text('word').primaryKey(),
    /**
     * Each entry is a word, several words that a part must all have, a kind such as
     * `@graphics-card`, or a range such as '0 to 24 dBA'; or the sort of a list, `sort=-capacity_gb`, a
     * page, `/returns`, or `@nothing` for what the shop does not sell. Empty for a stop word.
     */
    means: text('means').array().notNull(),
  },
  (t) => [
    check('search_words_word', sql`${t.word} ~ '^[^[:space:]]{1,60}$'`),
    check('search_words_means', sql`cardinality(${t.means}) <= 20`),
  ],
)

/** Words of parts on sale, letters only: the corrections for misspelled words. A job fills it. */
export const searchVocabulary = pgTable(
  'search_vocabulary',
  {
    word: text('word').primaryKey(),
    /** The number of parts with the word. */
    parts: integer('parts').notNull(),
  },
  (t) => [index('search_vocabulary_similar').using('gist', t.word.op('gist_trgm_ops'))],
)

/**
 * Searches that matched no part as typed: how often, and nothing about who searched. Kept for 90
 * days.
 */
export const searchLog = pgTable(
  'search_log',
  {
    day: date('day').notNull(),
    words: text('words').notNull(),
    /** The number of parts shown instead, the last time. */
    found: integer('found').notNull(),
    /** How often visitors searched for it. */
    asked: integer('asked').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.words] }),
    check('search_log_words', sql`length(${t.words}) between 1 and 200`),
    check('search_log_asked', sql`${t.asked} > 0`),
  ],
)
