import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/** What a typed word means besides itself, as the owner explains it. */
export const searchWords = pgTable(
  'search_words',
  {
    /** A folded word, or several such as 'cpu cooler', joined. */
    word: text('word').primaryKey(),
    /** Each is a word, several words that a part must all have, a kind as `@graphics-card`, or sizes as '0 to 24 dBA'. Empty for a stop word. */
    means: text('means').array().notNull(),
  },
  (t) => [
    check('search_words_word', sql`${t.word} ~ '^[^[:space:]]{1,60}$'`),
    check('search_words_means', sql`cardinality(${t.means}) <= 20`),
  ],
)

/** The words of parts on sale to which misspelled ones are corrected: letters alone. A job fills it. */
export const searchVocabulary = pgTable(
  'search_vocabulary',
  {
    word: text('word').primaryKey(),
    /** How many parts have it. */
    parts: integer('parts').notNull(),
  },
  (t) => [index('search_vocabulary_similar').using('gist', t.word.op('gist_trgm_ops'))],
)

/** Searches that no part matched as typed: how often, and nothing about who searched. Kept for 90 days. */
export const searchLog = pgTable(
  'search_log',
  {
    day: date('day').notNull(),
    words: text('words').notNull(),
    /** Parts that were shown instead, the last time. */
    found: integer('found').notNull(),
    /** How often it was searched. */
    asked: integer('asked').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.words] }),
    check('search_log_words', sql`length(${t.words}) between 1 and 200`),
    check('search_log_asked', sql`${t.asked} > 0`),
  ],
)
