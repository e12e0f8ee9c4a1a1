import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'

/** What a typed word means besides itself, as the owner says it. */
export const searchWords = pgTable(
  'search_words',
  {
    /** One folded word; of several, such as 'cpu cooler', all joined. */
    word: text('word').primaryKey(),
    /** Each a word, several that a part must all have, or a kind as `@graphics-card`. Empty: it says nothing. */
    means: text('means').array().notNull(),
  },
  (t) => [
    check('search_words_word', sql`${t.word} ~ '^[^[:space:]]{1,60}$'`),
    check('search_words_means', sql`cardinality(${t.means}) <= 20`),
  ],
)

/** The words of parts on sale that a misspelled word may mean: letters alone. A job fills it. */
export const searchVocabulary = pgTable(
  'search_vocabulary',
  {
    word: text('word').primaryKey(),
    /** How many parts have it. */
    parts: integer('parts').notNull(),
  },
  (t) => [index('search_vocabulary_similar').using('gist', t.word.op('gist_trgm_ops'))],
)
