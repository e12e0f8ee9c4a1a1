import '#web/styles/basket.css'
import { data, Link, useSearchParams } from 'react-router'
import { type BasketLine, basketText, maxLines, newBuild } from '#contracts/basket.ts'
import type { BasketParts } from '#contracts/compare.ts'
import { fitPartsOf, judge } from '#contracts/fit.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { slots } from '#contracts/pc-kinds.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import type { Route } from './+types/build-screen'
import { PrintHead, Summary, TakenOutNote } from './basket-sum.tsx'
import { Judged } from './judged.tsx'
import {
  fetchBasket,
  linesOf,
  loadBasket,
  needsParts,
  useFreshParts,
  useKeptBasket,
  useSeenPrices,
} from './kept-lines.ts'
import { type Line, LineRow } from './line-rows.tsx'

export const handle: PageHandle = { query: ['parts', 'add'] }

export const meta: Route.MetaFunction = ({ matches: [root] }) =>
  pageMeta(
    root.loaderData?.shop,
    'Build a PC',
    'Choose the parts of a PC, see what fits, what it draws and what it costs, and book them together.',
  )

export async function loader({ context, request }: Route.LoaderArgs) {
  return data(await loadBasket(context.get(shopContext).fetchApi, request.url))
}

export const clientLoader = ({ request }: Route.ClientLoaderArgs) => fetchBasket(request.url)

export const shouldRevalidate = needsParts

type Kinds = BasketParts['kinds']

/** The list of a kind, with what fits these lines. */
const choicesPath = (slug: string, lines: readonly BasketLine[]) =>
  `/parts/${encodeURIComponent(slug)}?fits=${lines.length > 0 ? `${basketText(lines)}&only=fits` : newBuild}`

type SlotProps = {
  name: string
  kinds: Kinds
  lines: Line[]
  all: BasketLine[]
  seen: ReturnType<typeof useSeenPrices>
}

/** A place of the PC: the parts in it, and links to the lists that have others. */
function Slot({ name, kinds, lines, all, seen }: SlotProps) {
  const chosen = lines.length > 0
  return (
    <section className="build-slot" aria-label={name}>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 className="font-semibold">{name}</h2>
        <p className="flex flex-wrap gap-x-4">
          {kinds.map((kind) => (
            <Link
              key={kind.slug}
              to={choicesPath(kind.slug, all)}
              rel="nofollow"
              className="link inline-flex min-h-11 items-center text-sm"
            >
              {chosen ? 'Another' : 'Choose a'} {kind.name}
            </Link>
          ))}
        </p>
      </div>
      {chosen && (
        <ul>
          {lines.map((line) => (
            <LineRow key={line.number} line={line} lines={all} before={seen.get(line.number)} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** The parts of a PC by their places, whether they fit together, what they draw and what they cost. */
export default function BuildScreen({ loaderData: { parts, kinds } }: Route.ComponentProps) {
  const [params] = useSearchParams()
  const named = linesOf(params)
  useFreshParts(basketText(named))
  useKeptBasket(named, parts)
  const seen = useSeenPrices(parts)
  const lines = named.map((line) => ({
    ...line,
    part: parts.find(({ number }) => number === line.number) ?? null,
  }))
  const known: Set<string> = new Set(slots.flatMap((slot) => slot.kinds))
  const others = lines.filter(({ part }) => !part?.fit || !known.has(part.fit.kind))
  const fitParts = fitPartsOf(lines)
  const shared = { all: named, seen }
  return (
    <div className="column min-h-dvh py-6 md:py-10">
      <PrintHead />
      <div className="basket-head">
        <h1 tabIndex={-1} className="text-4xl font-bold tracking-tight">
          Build a PC
        </h1>
        <TakenOutNote lines={named} />
      </div>
      <p className="mb-6 max-w-[68ch] text-dim">
        Choose a part for each place. Lists show what fits what you have chosen, and what is not
        known. It is the same list as your basket.
      </p>
      <div className="build-columns">
        <div>
          {slots.map((slot) => (
            <Slot
              key={slot.name}
              name={slot.name}
              kinds={kinds.filter(({ kind }) => slot.kinds.some((each) => each === kind))}
              lines={lines.filter(({ part }) =>
                slot.kinds.some((each) => each === part?.fit?.kind),
              )}
              {...shared}
            />
          ))}
          {others.length > 0 && <Slot name="And also" kinds={[]} lines={others} {...shared} />}
          {lines.length === maxLines && (
            <p className="mt-4 text-dim text-sm">A build holds {maxLines} parts.</p>
          )}
        </div>
        <div className="build-side">
          <Judged parts={fitParts} judgement={judge(fitParts)} />
          {lines.length > 0 && <Summary lines={lines} name="build" />}
        </div>
      </div>
    </div>
  )
}
