/** The filters of a kind, and their values by how people spell them. */
import { sql } from 'drizzle-orm'
import type { SpecOption } from '#contracts/kinds.ts'
import type { CatalogueCache } from '#server/database/catalogue-cache.ts'
import type { Queryable } from '#server/database/client.ts'
import { kinds, specFields } from '#server/database/schema/kinds.ts'
import { partIndex } from '#server/database/schema/parts.ts'
import { squeezed } from './parse-query.ts'

type Deps = { db: Queryable; catalogue: CatalogueCache }

/** A filter that parts on sale state: others empty a list. */
export type KindFilter = {
  key: string
  label: string
  type: 'one' | 'many' | 'number' | 'yes'
  /** Whether its values describe the part itself, and not what fits it. */
  isSearched: boolean
}
/** A value as in the filter. */
export type Spelled = { key: string; value: string; spelling: string }

export type KindFilters = {
  filters: ReadonlyMap<string, KindFilter>
  /** `socket=AM5` for each value that parts state. */
  stated: ReadonlySet<string>
  /** The values of choices by their spellings, joined. */
  byText: ReadonlyMap<string, Spelled[]>
}

type Row = KindFilter & { options: SpecOption[]; values: string[] }

/** The filters of a kind and the values that it lists or that parts state; cached until an edit. */
export const kindFilters = ({ db, catalogue }: Deps, slug: string): Promise<KindFilters> =>
  catalogue.getOrSet(`filters of kind ${slug}`, async () => {
    const { rows } = await db.execute<Row>(sql`
      with stated as materialized (
        select distinct facet from ${partIndex} i, unnest(i.facets) facet where i.is_on_sale and i.kind = ${slug})
      select f.key, f.label, f.type, f.is_searched as "isSearched", f.options,
        array(select substr(facet, length(f.key) + 2) from stated
          where split_part(facet, '=', 1) = f.key order by 1) as values
      from ${specFields} f where f.kind = ${slug} and f.is_facet order by f.position`)
    const filters = new Map<string, KindFilter>()
    const stated = new Set<string>()
    const byText = new Map<string, Spelled[]>()
    for (const { options, values, ...filter } of rows) {
      const { key, type } = filter
      if (values.length === 0) continue
      filters.set(key, filter)
      if (type === 'number') continue
      for (const value of values) stated.add(`${key}=${value}`)
      if (type === 'yes') continue
      const spellings = [
        ...options.flatMap(({ value, also }) => [value, ...also].map((text) => [text, value])),
        ...values.map((value) => [value, value]),
      ]
      for (const [spelling = '', value = ''] of spellings) {
        const same = byText.get(squeezed(spelling)) ?? []
        if (same.some((each) => each.key === key && each.value === value)) continue
        byText.set(squeezed(spelling), [...same, { key, value, spelling }])
      }
    }
    return {
      value: { filters, stated, byText },
      ...{ shows: ['details'], cacheable: true, bytes: 20_000 },
    }
  })

export type NamedKind = { slug: string; name: string; otherNames: string[] }

/** The kinds of the parts on sale in the shop's order; cached until an edit. */
export const kindsOnSale = ({ db, catalogue }: Deps): Promise<NamedKind[]> =>
  catalogue.getOrSet('names of kinds on sale', async () => {
    const { rows } = await db.execute<NamedKind>(sql`
      select k.slug, k.name, k.other_names as "otherNames" from ${kinds} k
      where exists (select from ${partIndex} i where i.is_on_sale and i.kind = k.slug) order by k.position`)
    return { value: rows, shows: ['details'], cacheable: true }
  })
