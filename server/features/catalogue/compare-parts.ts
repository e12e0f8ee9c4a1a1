import { asc, sql } from 'drizzle-orm'
import type { BasketLine } from '#contracts/basket.ts'
import type { BasketParts, Comparison } from '#contracts/compare.ts'
import { type SpecField, type SpecValue, specWords } from '#contracts/kinds.ts'
import type { CatalogueCache } from '#server/database/catalogue-cache.ts'
import type { Database, Queryable } from '#server/database/client.ts'
import { kinds, specFields } from '#server/database/schema/kinds.ts'
import { isOnSale, parts } from '#server/database/schema/parts.ts'
import { AppError } from '#server/errors.ts'
import { fitKinds } from '#server/features/fit/fit-parts.ts'
import { findBuild } from '#server/features/fit/judge-stock.ts'
import { cardsOf } from '#server/features/search/list-parts.ts'

type Field = Pick<SpecField, 'key' | 'label' | 'unit'> & { better: 'more' | 'less' | null }

/**
 * Marks the best values of a row. Marks none if the field prefers neither more nor less, if all
 * values are equal, or if one is unknown.
 */
function bestOf({ better }: Field, values: (SpecValue | undefined)[]): boolean[] {
  const numbers = values.filter((value) => typeof value === 'number')
  const none = values.map(() => false)
  if (!better || numbers.length < values.length || new Set(numbers).size < 2) return none
  const best = better === 'more' ? Math.max(...numbers) : Math.min(...numbers)
  return values.map((value) => value === best)
}

const textOf = (value: SpecValue | undefined, unit: string): string | null => {
  if (value === undefined) return null
  return Array.isArray(value) ? value.join(', ') : specWords(value, unit)
}

/** The parts on sale with these numbers, in the given order. */
const findInOrder = (db: Queryable, numbers: number[]) =>
  db
    .select({ _id: parts._id, kind: parts.kind, specs: parts.specs })
    .from(parts)
    .where(sql`${isOnSale} and ${parts.number} = any(${sql.param(numbers)}::int[])`)
    .orderBy(asc(sql`array_position(${sql.param(numbers)}::int[], ${parts.number})`))

async function cardsWithoutSpecs(db: Queryable, found: { _id: string }[]) {
  const ids = found.map(({ _id }) => _id)
  return (await cardsOf(db, ids)).map(({ description: _, specs: __, ...card }) => card)
}

/** The parts of a basket that are on sale, in its order, with what rules of fit read of them. */
export async function partsOfBasket(
  deps: { db: Database; catalogue: CatalogueCache },
  lines: BasketLine[],
): Promise<BasketParts> {
  const numbers = lines.map(({ number }) => number)
  const [known, cards, build] = await Promise.all([
    fitKinds(deps),
    findInOrder(deps.db, numbers).then((found) => cardsWithoutSpecs(deps.db, found)),
    findBuild(deps, lines),
  ])
  const partOf = new Map(build.map(({ number, part }) => [number, part]))
  return {
    parts: cards.map((card) => {
      const part = partOf.get(card.number)
      return { ...card, fit: part ? { kind: part.kind, specs: part.specs } : null }
    }),
    kinds: known.map(({ slug, name, kind }) => ({ slug, name, kind })),
  }
}

/**
 * Compares parts on sale, in the given order, with a row for each field of their kind that any of
 * them states.
 * @throws AppError INVALID for parts of several kinds
 */
export async function compareParts(db: Queryable, numbers: number[]): Promise<Comparison> {
  const compared = await findInOrder(db, numbers)
  if (new Set(compared.map(({ kind }) => kind)).size > 1) {
    const why = 'You can only compare parts in the same category'
    throw new AppError('INVALID', why, { parts: why })
  }
  const { rows: fields } = await db.execute<Field>(sql`
    select f.key, f.label, f.unit, f.better from ${specFields} f join ${kinds} k on k.slug = f.kind
    where k.name = ${compared[0]?.kind ?? ''} order by f.position, f.key`)
  const rows = fields
    .filter(({ key }) => compared.some(({ specs }) => specs[key] !== undefined))
    .map((field) => {
      const values = compared.map(({ specs }) => specs[field.key])
      const best = bestOf(field, values)
      const texts = values.map((value) => textOf(value, field.unit))
      return {
        key: field.key,
        label: field.label,
        better: field.better,
        differs: new Set(texts).size > 1,
        values: texts.map((text, i) => ({ text, isBest: best[i] === true })),
      }
    })
  return { parts: await cardsWithoutSpecs(db, compared), rows }
}
