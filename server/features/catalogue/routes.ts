import { Hono } from 'hono'
import { z } from 'zod'
import { ById } from '#contracts/api.ts'
import { basketIn } from '#contracts/basket.ts'
import { numbersIn } from '#contracts/catalogue.ts'
import { BasketParts, BasketQuery, CompareQuery, Comparison } from '#contracts/compare.ts'
import { HomeParts, ListQuery, PartList } from '#contracts/part-lists.ts'
import { ByPart, PartAddresses, PartPage, SitemapPage } from '#contracts/part-pages.ts'
import { BestSellingPart, Part } from '#contracts/parts.ts'
import { SearchQuery, Suggestions } from '#contracts/search.ts'
import type { CatalogueCache } from '#server/database/catalogue-cache.ts'
import type { Database } from '#server/database/client.ts'
import { found } from '#server/errors.ts'
import { listPartsOnSale } from '#server/features/search/list-parts.ts'
import type { MissedSearches } from '#server/features/search/search-words.ts'
import { suggest } from '#server/features/search/suggest.ts'
import { anyone, type Env, perMinute, requireUser, valid } from '#server/http/guards.ts'
import { findBestSeller } from './best-seller.ts'
import { compareParts, partsOfBasket } from './compare-parts.ts'
import { readHomeParts } from './home-parts.ts'
import { findPartPage, listAddresses } from './part-page.ts'
import { findPart, listParts } from './store.ts'

/**
 * GET /part, /parts, /parts/{number or id}, /compare, /basket, /search and /bestSeller are public;
 * GET /part/{id} is for users.
 */
export function partRoutes(deps: {
  db: Database
  catalogue: CatalogueCache
  missedSearches: MissedSearches
}) {
  return new Hono<Env>()
    .get(
      '/part',
      anyone({
        summary: 'Lists the parts on sale, in the order of the shop.',
        shows: 'parts',
        cached: 'everybody',
        answer: z.array(Part),
      }),
      async (c) => {
        c.header('cache-control', 'no-cache')
        return c.json(await listParts(deps.db))
      },
    )
    .get(
      '/parts',
      anyone({
        summary: 'Lists parts on sale with the filters that narrow them.',
        // a program reads 5,000 parts in two minutes; a made-up search costs as much as a suggestion
        limit: perMinute(300),
        description:
          'With `kind`, each of its fields is a filter: `socket=AM5&socket=AM4` for one of several values, `length_mm-max=300` and `-min` for a number, `yes` and `no`. At most 12 filters with 20 values.',
        shows: 'parts',
        answer: PartList,
        errors: ['NOT_FOUND'],
      }),
      valid('query', ListQuery),
      async (c) => {
        c.header('cache-control', 'no-cache')
        const query = c.req.valid('query')
        const list = await listPartsOnSale(deps, query)
        const isMissed = list.read !== null || list.left.length > 0
        if (query.q && !query.as && query.after === undefined && isMissed)
          deps.missedSearches.note(query.q, list.all)
        return c.json(list)
      },
    )
    .get(
      '/search',
      anyone({
        summary: 'Suggests parts and kinds for what is typed so far.',
        // a fast typist causes two requests a second
        limit: perMinute(120),
        answer: Suggestions,
      }),
      valid('query', SearchQuery),
      async (c) => {
        c.header('cache-control', 'no-cache')
        return c.json(await suggest(deps, c.req.valid('query').q))
      },
    )
    .get(
      '/home-parts',
      anyone({
        summary: 'Reads what the home page shows of the parts on sale.',
        answer: HomeParts,
        shows: 'parts',
        cached: 'everybody',
      }),
      async (c) => {
        c.header('cache-control', 'no-cache')
        c.header('cache-tag', 'parts,settings')
        return c.json(await readHomeParts(deps.db))
      },
    )
    .get(
      '/bestSeller',
      anyone({
        summary: 'Names the part to call the best seller; null in a shop without parts.',
        shows: 'parts',
        answer: BestSellingPart,
      }),
      async (c) => {
        const best = await deps.catalogue.getOrSet('best seller', async () => ({
          value: { _id: (await findBestSeller(deps.db))?._id ?? null } satisfies BestSellingPart,
          shows: ['parts'],
          cacheable: true,
        }))
        return c.json(best)
      },
    )
    .get(
      '/part/:id',
      requireUser({
        summary: 'Reads a part that is on sale.',
        answer: Part,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => c.json(found(await findPart(deps.db, c.req.valid('param').id), 'part')),
    )
    .get(
      '/sitemap',
      anyone({
        summary: 'Lists the addresses of parts on sale.',
        limit: perMinute(60),
        answer: PartAddresses,
      }),
      valid('query', SitemapPage),
      async (c) => {
        c.header('cache-tag', 'details')
        return c.json(await listAddresses(deps.db, c.req.valid('query').page))
      },
    )
    .get(
      '/compare',
      anyone({ summary: 'Puts up to four parts of one kind side by side.', answer: Comparison }),
      valid('query', CompareQuery),
      async (c) => {
        const numbers = numbersIn(c.req.valid('query').parts) ?? []
        c.header('cache-control', 'no-cache')
        return c.json(await compareParts(deps.db, numbers))
      },
    )
    .get(
      '/basket',
      anyone({ summary: 'Reads the parts of a visitor’s basket.', answer: BasketParts }),
      valid('query', BasketQuery),
      async (c) => {
        c.header('cache-control', 'no-cache')
        return c.json(await partsOfBasket(deps, basketIn(c.req.valid('query').parts)))
      },
    )
    .get(
      '/parts/:part',
      anyone({
        summary: 'Reads a part as its page shows it, by its number or its id.',
        cached: 'everybody',
        answer: PartPage,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ByPart),
      async (c) => {
        const { page, shownIds } = found(
          await findPartPage(deps, c.req.valid('param').part),
          'part',
        )
        c.header('cache-control', 'no-cache')
        c.header('cache-tag', shownIds.map((id) => `part:${id}`).join(','))
        return c.json(page)
      },
    )
}
