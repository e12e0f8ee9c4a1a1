import { Hono } from 'hono'
import { Acknowledged, acknowledged } from '#contracts/api.ts'
import { ByWord, SearchWords, WordMeanings } from '#contracts/search.ts'
import type { Database } from '#server/database/client.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { explainWord, forgetWord, listWords } from './search-words.ts'

/** The admin routes of search words: list, explain and forget them. */
export function wordRoutes({ db }: { db: Database }) {
  return new Hono<Env>()
    .get(
      '/words',
      requireAdmin({
        summary: 'Lists what typed words mean, and what was searched for and not found.',
        answer: SearchWords,
      }),
      async (c) => c.json((await listWords(db)) satisfies SearchWords),
    )
    .put(
      '/words/:word',
      requireAdmin({
        summary: 'Says what a word means besides itself.',
        description:
          'A kind is `@` and its slug, a fact such as `0 to 24 dBA` any of these sizes. `sort=-capacity_gb` sorts the list of a kind that has this field, `/returns` links a page of the shop, and `@nothing` is what the shop does not sell. A word without a meaning says nothing, as ‘for’ does.',
        answer: Acknowledged,
      }),
      valid('param', ByWord),
      valid('json', WordMeanings),
      async (c) => {
        await explainWord(db, c.var.caller, { ...c.req.valid('param'), ...c.req.valid('json') })
        return c.json(acknowledged)
      },
    )
    .delete(
      '/words/:word',
      requireAdmin({
        summary: 'Forgets what a word means.',
        answer: Acknowledged,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ByWord),
      async (c) => {
        await forgetWord(db, c.var.caller, c.req.valid('param').word)
        return c.json(acknowledged)
      },
    )
}
