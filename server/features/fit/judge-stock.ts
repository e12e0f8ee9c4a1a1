/** Judges all parts of a kind as the next part of a build. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type BasketLine, basketIn, basketText } from '#contracts/basket.ts'
import { type FitPart, judgeCandidates } from '#contracts/fit.ts'
import type { Fit } from '#contracts/part-lists.ts'
import { parts as partsOfShop } from '#server/database/schema/parts.ts'
import {
  type FitDeps,
  type FitStock,
  findFitParts,
  fitKinds,
  fitStockOf,
  type KindStock,
} from './fit-parts.ts'

export type JudgedStock = {
  /** What the kind is for the rules. */
  kind: string
  /** The parts of the build that rules know. */
  build: FitStock[]
  /** The deciding verdict on a part; undefined when no rule is about it. */
  fitOf: (id: string) => Fit | undefined
  /** The parts that do not fit. */
  problems: string[]
}

/** The parts of a build that rules know, on sale or not; drafts are private. */
export async function findBuild(deps: FitDeps, lines: BasketLine[]): Promise<FitStock[]> {
  const units = new Map(lines.map(({ number, quantity }) => [number, quantity]))
  const found = await findFitParts(
    deps.db,
    await fitKinds(deps),
    sql`${partsOfShop.state} = 'on sale' and ${partsOfShop.number} = any(${sql.param([...units.keys()])}::int[])`,
  )
  return found.map((each) => ({
    ...each,
    part: { ...each.part, units: units.get(each.number) ?? 1 },
  }))
}

/** After this time, in milliseconds, others of the process get their turn. */
const sliceMs = 3

/** The last judging of this process: the next waits for it, so that many cost others no more. */
let last: Promise<unknown> = Promise.resolve()

/** Those of a kind's stock that do not fit, and whether a rule ran. */
type Unfit = { problems: string[]; isJudged: boolean }

async function judgeGroups(build: FitPart[], kind: string, { groups }: KindStock): Promise<Unfit> {
  const judge = judgeCandidates(build, kind)
  const problems: string[] = []
  let isJudged = false
  let since = performance.now()
  for (const group of groups) {
    if (performance.now() - since > sliceMs) {
      await setImmediate()
      since = performance.now()
    }
    const level = group[0] && judge(group[0].part)?.level
    if (level) isJudged = true
    if (level === 'problem') for (const { _id } of group) problems.push(_id)
  }
  return { problems, isJudged }
}

/** Judges a kind's stock, one kind at a time. */
function findProblems(build: FitPart[], kind: string, stock: KindStock): Promise<Unfit> {
  const judged = last.then(() => judgeGroups(build, kind, stock))
  last = judged.catch(() => {})
  return judged
}

/**
 * Counts by kind how many parts on sale fit a part, as a list with `only=fits` does. Kinds without a
 * rule about it are left out. Cached until an edit of a part.
 * @returns null for a part that rules do not know
 */
export const countFitting = (deps: FitDeps, number: number) =>
  deps.catalogue.getOrSet(`fitting part ${number}`, async () => {
    const build = (await findBuild(deps, [{ number, quantity: 1 }])).map(({ part }) => part)
    const counts: { slug: string; name: string; count: number }[] = []
    for (const kind of await fitKinds(deps)) {
      const stock = await fitStockOf(deps, kind)
      const { problems, isJudged } = await findProblems(build, kind.kind, stock)
      const count = isJudged ? stock.all.size - problems.length : 0
      if (count > 0) counts.push({ slug: kind.slug, name: kind.name, count })
    }
    const value = build.length > 0 ? counts : null
    return { value, shows: ['details'], cacheable: true }
  })

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
  const lines = basketIn(text)
  const build = await findBuild(deps, lines)
  const parts = build.map(({ part }) => part)
  const stock = await fitStockOf(deps, kind)
  const problems = await deps.catalogue.getOrSet(
    `unfit of kind ${kind.slug} with ${basketText(lines)}`,
    async () => {
      const { problems } = await findProblems(parts, kind.kind, stock)
      return { value: problems, shows: ['details'], cacheable: true, bytes: 60 * problems.length }
    },
  )
  const judge = judgeCandidates(parts, kind.kind)
  return {
    ...{ kind: kind.kind, build, problems },
    fitOf(id) {
      const candidate = stock.all.get(id)
      const found = candidate && judge(candidate.part)
      return found && { level: found.level, text: found.say() }
    },
  }
}
