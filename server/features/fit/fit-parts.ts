/** Reads parts of the shop as the rules of fit know them. */
import { type SQL, sql } from 'drizzle-orm'
import type { FitPart } from '#contracts/fit.ts'
import { type FieldRef, isFieldRef, keyOf, kindOf } from '#contracts/fit-fields.ts'
import type { Specs } from '#contracts/kinds.ts'
import type { CatalogueCache } from '#server/database/catalogue-cache.ts'
import type { Queryable } from '#server/database/client.ts'
import { kinds, specFields } from '#server/database/schema/kinds.ts'
import { isOnSale, parts } from '#server/database/schema/parts.ts'

/**
 * A kind of the shop that rules know: by its slug and names, the kind that it is for them, and what
 * its fields are for them.
 */
export type FitKind = {
  slug: string
  name: string
  otherNames: string[]
  kind: string
  fields: Map<string, FieldRef>
}

/**
 * Lists the kinds that rules know, in the shop's order: those with fields of the shop's own, and
 * those of the owner's whose fields stand for such.
 */
export async function findFitKinds(db: Queryable): Promise<FitKind[]> {
  const { rows } = await db.execute<
    Pick<FitKind, 'slug' | 'name' | 'otherNames'> & { key: string; ref: string }
  >(sql`
    select k.slug, k.name, k.other_names as "otherNames", f.key, coalesce(f.fit_field, k.slug || '.' || f.key) as ref
    from ${kinds} k join ${specFields} f on f.kind = k.slug where f.is_builtin or f.fit_field is not null
    order by k.position, not f.is_builtin, f.position`)
  const known = Map.groupBy(
    rows.flatMap((row) => (isFieldRef(row.ref) ? [{ ...row, ref: row.ref }] : [])),
    ({ slug }) => slug,
  )
  return [...known].flatMap(([slug, [first, ...rest]]) => {
    if (!first) return []
    const kind = kindOf(first.ref)
    const own = [first, ...rest].filter(({ ref }) => kindOf(ref) === kind)
    const { name, otherNames } = first
    return [{ slug, name, otherNames, kind, fields: new Map(own.map((f) => [f.key, f.ref])) }]
  })
}

/** A part with what rules read of it. Its units: the smallest order, or those of the build. */
export type FitStock = { _id: string; number: number; part: FitPart }

/** What rules read of a specification, by their own keys. */
function specsFor({ fields }: FitKind, specs: Specs): Specs {
  const entries = Object.entries(specs).flatMap(([key, value]) => {
    const ref = fields.get(key)
    return ref ? [[keyOf(ref), value] as const] : []
  })
  return Object.fromEntries(entries)
}

/** Reads the parts that rules know and that pass a condition, in the shop's order. */
export async function findFitParts(
  db: Queryable,
  kindsOfShop: FitKind[],
  where: SQL,
): Promise<FitStock[]> {
  const byName = new Map(kindsOfShop.map((kind) => [kind.name, kind]))
  const rows = await db
    .select({
      ...{ _id: parts._id, number: parts.number, name: parts.name },
      ...{ kind: parts.kind, specs: parts.specs, units: parts.minimumOrderQuantity },
    })
    .from(parts)
    .where(sql`${parts.kind} = any(${sql.param([...byName.keys()])}::text[]) and ${where}`)
    .orderBy(parts.position, parts._id)
  return rows.flatMap(({ _id, number, name, kind, specs, units }) => {
    const known = byName.get(kind)
    if (!known) return []
    return [{ _id, number, part: { kind: known.kind, name, specs: specsFor(known, specs), units } }]
  })
}

export type FitDeps = { db: Queryable; catalogue: CatalogueCache }

/** The kinds that rules know; cached until the catalogue changes. */
export const fitKinds = ({ db, catalogue }: FitDeps): Promise<FitKind[]> =>
  catalogue.getOrSet('fit kinds', async () => ({
    value: await findFitKinds(db),
    shows: ['details'],
    cacheable: true,
  }))

/** The parts on sale of a kind. Rules tell the parts of a group apart by their names alone. */
export type KindStock = { all: ReadonlyMap<string, FitStock>; groups: FitStock[][] }

/** The parts on sale of a kind that rules know; cached until an edit of a part. */
export const fitStockOf = ({ db, catalogue }: FitDeps, kind: FitKind): Promise<KindStock> =>
  catalogue.getOrSet(`fit of kind ${kind.slug}`, async () => {
    const stock = await findFitParts(db, [kind], sql`${isOnSale} and ${parts.kind} = ${kind.name}`)
    const all = new Map(stock.map((each) => [each._id, each]))
    const groups = Map.groupBy(stock, ({ part }) => JSON.stringify([part.units, part.specs]))
    const value = { all, groups: [...groups.values()] }
    return { value, shows: ['details'], cacheable: true, bytes: 700 * stock.length }
  })
