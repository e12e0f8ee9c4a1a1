/** What the rules of fit are, and what parts on sale lack for them. */
import { sql } from 'drizzle-orm'
import { type DeskRule, type FitDesk, type Lacking, namedParts } from '#contracts/fit-desk.ts'
import { type FieldRef, fitFields, kindOf, kindWords } from '#contracts/fit-fields.ts'
import { type FitRule, fitRules, neededOf } from '#contracts/fit-rules.ts'
import type { Queryable } from '#server/database/client.ts'
import { kinds, specFields } from '#server/database/schema/kinds.ts'
import { isOnSale, parts } from '#server/database/schema/parts.ts'
import { type FitKind, findFitKinds } from './fit-parts.ts'

type DeskLack = { key: string } & Pick<Lacking, 'parts' | 'first'>
type DeskStock = { slug: string; name: string; isOwn: boolean; parts: number; lacks: DeskLack[] }

const needed = [...new Set(fitRules.flatMap(neededOf))]

/** The fields of a kind that rules cannot do without, by what they are for the rules. */
const keysOf = ({ fields }: FitKind): Map<FieldRef, string> =>
  new Map([...fields].flatMap(([key, ref]) => (needed.includes(ref) ? [[ref, key]] : [])))

/** Counts, for all kinds, the parts on sale, and those that do not state such a field. */
async function countLacks(db: Queryable, known: FitKind[]): Promise<DeskStock[]> {
  const pairs = known.flatMap((kind) => [...keysOf(kind).values()].map((key) => [kind.name, key]))
  const columns = [0, 1].map((at) => sql`${sql.param(pairs.map((pair) => pair[at]))}::text[]`)
  const { rows } = await db.execute<DeskStock>(sql`
    with needed as (select * from unnest(${sql.join(columns, sql`, `)}) as n (kind, key)),
    stock as materialized (select _id, name, kind, position, specs from ${parts} where ${isOnSale}),
    lacking as (
      select n.kind, n.key, s._id, s.name, count(*) over (partition by n.kind, n.key) as parts,
        row_number() over (partition by n.kind, n.key order by s.position, s._id) as place
      from needed n join stock s on s.kind = n.kind and not (s.specs ? n.key)),
    lacks as (
      select kind, json_build_object('key', key, 'parts', max(parts)::int,
        'first', json_agg(json_build_object('_id', _id, 'name', name) order by place)) as lack
      from lacking where place <= ${namedParts} group by kind, key)
    select k.slug, k.name,
      not exists (select from ${specFields} f where f.kind = k.slug and f.is_builtin) as "isOwn",
      (select count(*)::int from stock s where s.kind = k.name) as parts,
      coalesce((select json_agg(l.lack) from lacks l where l.kind = k.name), '[]') as lacks
    from ${kinds} k order by k.position`)
  return rows
}

/** The sentence for parts that break a rule, without names and figures. */
function saysOf(rule: FitRule): string {
  const the = (kind: string | undefined) => `the ${kindWords(kind ?? '')}`
  const sides = (): [left?: string, right?: string] => {
    switch (rule.is) {
      case 'total':
        return [rule.kind, rule.has[0] && kindOf(rule.has[0])]
      case 'one of':
        return [kindOf(rule.of)]
      case 'power':
      case 'plugs':
        return ['graphics-card', 'power-supply']
      default:
        return [kindOf(rule.left), kindOf(rule.right)]
    }
  }
  const [left, right] = sides()
  const text = rule.not
    .replaceAll('{left}', the(left))
    .replaceAll('{right}', the(right))
    .replaceAll(/\{(?:\w|most)\}/g, '…')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What a rule lacks of the kinds that have parts on sale. */
function lackingOf(rule: FitRule, known: FitKind[], stock: Map<string, DeskStock>): Lacking[] {
  return neededOf(rule).flatMap((field) =>
    known.flatMap((kind): Lacking[] => {
      const of = stock.get(kind.slug)
      if (kind.kind !== kindOf(field) || !of || of.parts === 0) return []
      const key = keysOf(kind).get(field) ?? null
      const lack =
        key === null ? { parts: of.parts, first: [] } : of.lacks.find((each) => each.key === key)
      if (!lack) return []
      const { says } = fitFields[field]
      const { parts: count, first } = lack
      return [{ kind: kind.slug, kindName: kind.name, field, says, key, parts: count, first }]
    }),
  )
}

/** Reads the owner's page about the rules of fit. */
export async function readFitDesk(db: Queryable): Promise<FitDesk> {
  const known = await findFitKinds(db)
  const rows = await countLacks(db, known)
  const stock = new Map(rows.map((row) => [row.slug, row]))
  const as = new Map(known.map(({ slug, kind }) => [slug, kindWords(kind)]))
  const rules = fitRules.map((rule): DeskRule => {
    const { id, name, level } = rule
    return { id, name, level, says: saysOf(rule), lacking: lackingOf(rule, known, stock) }
  })
  const listed = ({ slug, name, parts: count }: DeskStock) => ({ slug, name, parts: count })
  return {
    parts: rows.reduce((sum, row) => (as.has(row.slug) ? sum + row.parts : sum), 0),
    rules,
    own: rows.flatMap((row) => {
      const kind = as.get(row.slug)
      return row.isOwn && kind ? [{ ...listed(row), as: kind }] : []
    }),
    others: rows.filter((row) => row.parts > 0 && !as.has(row.slug)).map(listed),
  }
}
