/** Judges all parts of a kind as the next part of a build. */
import { sql } from 'drizzle-orm'
import { type BasketLine, basketIn } from '#contracts/basket.ts'
import { type FitPart, judgeCandidates } from '#contracts/fit.ts'
import type { Fit } from '#contracts/part-lists.ts'
import { parts } from '#server/database/schema/parts.ts'
import { type FitDeps, type FitStock, findFitParts, fitKinds, fitStockOf } from './fit-parts.ts'

export type JudgedStock = {
  /** What the kind is for the rules. */
  kind: string
  /** The parts of the build that rules know. */
  build: FitStock[]
  /** The deciding verdict by part; parts that no rule is about have none. */
  fits: Map<string, Fit>
  /** The parts that do not fit. */
  problems: string[]
}

/** The parts of a build that rules know, on sale or not; drafts are private. */
export async function findBuild(deps: FitDeps, lines: BasketLine[]): Promise<FitStock[]> {
  const units = new Map(lines.map(({ number, quantity }) => [number, quantity]))
  const found = await findFitParts(
    deps.db,
    await fitKinds(deps),
    sql`${parts.state} = 'on sale' and ${parts.number} = any(${sql.param([...units.keys()])}::int[])`,
  )
  return found.map((each) => ({
    ...each,
    part: { ...each.part, units: units.get(each.number) ?? 1 },
  }))
}

function judgeEach(build: FitPart[], kind: string, stock: FitStock[]): Map<string, Fit> {
  const judge = judgeCandidates(build, kind)
  return new Map(
    stock.flatMap(({ _id, part }) => {
      const verdict = judge(part)
      return verdict ? [[_id, { level: verdict.level, text: verdict.text }] as const] : []
    }),
  )
}

/**
 * Counts by kind how many parts on sale fit a part, as a list with `only=fits` does. Kinds without a
 * rule about it are left out.
 */
export async function countFitting(deps: FitDeps, number: number) {
  const build = (await findBuild(deps, [{ number, quantity: 1 }])).map(({ part }) => part)
  if (build.length === 0) return []
  const counts = (await fitKinds(deps)).map(async (kind) => {
    const stock = await fitStockOf(deps, kind)
    const fits = [...judgeEach(build, kind.kind, stock).values()]
    const problems = fits.filter(({ level }) => level === 'problem').length
    const count = fits.length > 0 ? stock.length - problems : 0
    return { slug: kind.slug, name: kind.name, count }
  })
  return (await Promise.all(counts)).filter(({ count }) => count > 0)
}

/** Finds those of these parts, by number, that do not fit a part. */
export async function findUnfit(
  deps: FitDeps,
  number: number,
  others: number[],
): Promise<Set<number>> {
  if (others.length === 0) return new Set()
  const lines = [number, ...others].map((each) => ({ number: each, quantity: 1 }))
  const found = await findBuild(deps, lines)
  const part = found.find((each) => each.number === number)?.part
  if (!part) return new Set()
  const unfit = found.filter(
    (each) => judgeCandidates([part], each.part.kind)(each.part)?.level === 'problem',
  )
  return new Set(unfit.map((each) => each.number))
}

/**
 * Judges the parts on sale of a kind, by its slug or name, with a build: a text as in a basket's
 * address.
 * @returns undefined for a kind that rules do not know
 */
export async function judgeStock(
  deps: FitDeps,
  slugOrName: string,
  text: string,
): Promise<JudgedStock | undefined> {
  const known = await fitKinds(deps)
  const kind =
    known.find(({ slug }) => slug === slugOrName) ?? known.find(({ name }) => name === slugOrName)
  if (!kind) return undefined
  const build = await findBuild(deps, basketIn(text))
  const fits = judgeEach(
    build.map(({ part }) => part),
    kind.kind,
    await fitStockOf(deps, kind),
  )
  const problems = [...fits].flatMap(([id, { level }]) => (level === 'problem' ? [id] : []))
  return { kind: kind.kind, build, fits, problems }
}
