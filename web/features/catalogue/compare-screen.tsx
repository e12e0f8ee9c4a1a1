import { useEffect } from 'react'
import { data, Link, useSearchParams } from 'react-router'
import { isBookable, maxCompared, meanOf, numbersIn } from '#contracts/catalogue.ts'
import type { Comparison } from '#contracts/compare.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { partPath } from '#contracts/part-address.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { Picture } from '#web/components/picture.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { AddToBasket } from '#web/features/basket/add-to-basket.tsx'
import { ApiError, errorFrom } from '#web/lib/api-error.ts'
import { loadApi } from '#web/lib/loading/late-api.ts'
import { pageError } from '#web/lib/page-error.ts'
import { titled } from '#web/lib/page-meta.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import { useMoney } from '#web/lib/use-money.ts'
import type { Route } from './+types/compare-screen'
import { keepCompared } from './compare-link.tsx'
import { stockNotice } from './why-not-bookable.ts'

export const handle: PageHandle = { query: ['parts', 'only', 'add'] }

export const meta = titled('Compare parts')

type Loaded = { comparison?: Comparison; problem?: string }

const partsParam = (url: string) => new URL(url).searchParams.getAll('parts').join(',')

export async function loader({ context, request }: Route.LoaderArgs) {
  const partNumbers = numbersIn(partsParam(request.url))
  if (!partNumbers) return data<Loaded>({})
  const answer = await context
    .get(shopContext)
    .fetchApi(`/api/compare?parts=${partNumbers.join(',')}`)
  if (answer.ok) return data<Loaded>({ comparison: await answer.json() })
  if (answer.status >= 500) throw await pageError(answer)
  const { message: problem } = await errorFrom(answer)
  return data<Loaded>({ problem }, { status: answer.status })
}

export async function clientLoader({ request }: Route.ClientLoaderArgs): Promise<Loaded> {
  const partNumbers = numbersIn(partsParam(request.url))
  if (!partNumbers) return {}
  const { api } = await loadApi()
  try {
    const answer = await api.compare.$get({ query: { parts: partNumbers.join(',') } })
    return { comparison: await answer.json() }
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { problem: error.message }
    throw error
  }
}

const only = 'differences'

const addressOf = (numbers: number[], isOnly: boolean) =>
  `/compare?parts=${numbers.join(',')}${isOnly ? `&only=${only}` : ''}`

/** The head of a part's column. */
function Head({ part, without }: { part: Comparison['parts'][number]; without: string | null }) {
  const money = useMoney()
  return (
    <th scope="col" className="w-44 min-w-36 p-2 text-left align-top font-normal">
      <Picture src={part.image} facts={part.picture} alt="" sizes="160px" />
      <Link to={partPath(part)} className="link mt-2 inline-block min-h-6 break-words">
        {part.name}
      </Link>
      <p className="mt-1 font-bold tabular-nums">{money(part.price)}</p>
      <p className="text-dim text-sm">
        {isBookable(part) ? `${part.availableQuantity} in stock` : stockNotice(part)}
      </p>
      <p className="text-dim text-sm">
        {part.ratingCount > 0
          ? `${meanOf(part)} of 5 stars · ${part.ratingCount}`
          : 'No reviews yet'}
      </p>
      {isBookable(part) && (
        <p className="mt-2 grid justify-items-start gap-1">
          <ButtonLink
            to={`/purchase/${part._id}`}
            aria-label={`Book now: ${part.name}`}
            className="button-small"
          >
            Book now
          </ButtonLink>
          <AddToBasket part={part} className="link inline-flex min-h-11 items-center text-sm" />
        </p>
      )}
      {without && (
        <Link
          to={without}
          className="link inline-flex min-h-11 items-center text-sm"
          aria-label={`Leave out ${part.name}`}
        >
          Leave out
        </Link>
      )}
    </th>
  )
}

type Row = Comparison['rows'][number]

/** Labels the best value if the field prefers higher or lower. */
const bestIn = ({ better }: Row) => (better === 'more' ? 'highest' : 'lowest')

function Rows({ rows }: { rows: Row[] }) {
  return (
    <tbody>
      {rows.map((row) => (
        <tr key={row.key} className="border-line border-t">
          <th
            scope="row"
            className="sticky start-0 z-10 w-28 min-w-28 bg-paper p-2 text-left font-normal text-dim"
          >
            {row.label}
          </th>
          {row.values.map(({ text, isBest }, i) => (
            <td key={i} className="wrap-anywhere p-2 align-top font-mono">
              {text ?? <span className="text-dim">not stated</span>}
              {isBest && <span className="block font-sans text-green text-sm">{bestIn(row)}</span>}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

/** Asks which of the four parts the fifth replaces. */
function Replace({ numbers, parts }: { numbers: number[]; parts: Comparison['parts'] }) {
  const [params] = useSearchParams()
  const next = Number(params.get('add'))
  if (!next || numbers.length < maxCompared) return null
  return (
    <section aria-labelledby="replace" className="card mb-6 p-5">
      <h2 id="replace" className="font-semibold">
        {`A comparison has ${maxCompared} parts. Which one gives way?`}
      </h2>
      <ul className="mt-2 flex flex-wrap gap-x-5">
        {parts.map((part) => (
          <li key={part.number}>
            <Link
              to={addressOf(
                numbers.map((number) => (number === part.number ? next : number)),
                false,
              )}
              className="link inline-flex min-h-11 items-center"
            >
              {part.name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Table({
  comparison: { parts, rows },
  isOnly,
}: {
  comparison: Comparison
  isOnly: boolean
}) {
  const numbers = parts.map(({ number }) => number)
  const shownRows = isOnly ? rows.filter(({ differs }) => differs) : rows
  return (
    <>
      <Replace numbers={numbers} parts={parts} />
      {parts.length > 1 && (
        <p className="mb-4">
          <Link
            to={addressOf(numbers, !isOnly)}
            rel="nofollow"
            className="link inline-flex min-h-11 items-center"
          >
            {isOnly ? 'Show everything' : 'Show only what differs'}
          </Link>
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus
          what scrolls */}
      <section aria-label="Comparison" tabIndex={0} className="overflow-x-auto">
        <table className="w-full text-sm">
          <thead>
            <tr>
              <td className="sticky start-0 z-10 w-28 min-w-28 bg-paper" />
              {parts.map((part) => (
                <Head
                  key={part.number}
                  part={part}
                  without={
                    parts.length > 1
                      ? addressOf(
                          numbers.filter((number) => number !== part.number),
                          isOnly,
                        )
                      : null
                  }
                />
              ))}
            </tr>
          </thead>
          <Rows rows={shownRows} />
        </table>
      </section>
      {isOnly && shownRows.length === 0 && (
        <p className="mt-4">They state the same in everything.</p>
      )}
      {parts.length < 2 && <p className="mt-4">Tick another part in the list of its kind.</p>}
    </>
  )
}

/** Two to four parts side by side, named by the URL. */
export default function CompareScreen({
  loaderData: { comparison, problem },
}: Route.ComponentProps) {
  const [params] = useSearchParams()
  // stores this comparison, so that the next part is compared with these
  useEffect(() => {
    const [first] = comparison?.parts ?? []
    if (first && comparison)
      keepCompared({ kind: first.kind, numbers: comparison.parts.map(({ number }) => number) })
  }, [comparison])
  return (
    <div className="column min-h-dvh py-6 md:py-10">
      <h1 className="mb-6 text-4xl font-bold tracking-tight">Compare parts</h1>
      {comparison && comparison.parts.length > 0 ? (
        <Table comparison={comparison} isOnly={params.get('only') === only} />
      ) : (
        <EmptyState
          title={problem ?? 'Nothing to compare yet'}
          action={<ButtonLink to="/parts">See the parts</ButtonLink>}
        >
          Tick Compare in the list of a kind, or choose it on the page of a part.
        </EmptyState>
      )}
    </div>
  )
}
