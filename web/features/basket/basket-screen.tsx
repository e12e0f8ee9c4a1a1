import '#web/styles/basket.css'
import { data } from 'react-router'
import { maxLines } from '#contracts/basket.ts'
import type { BasketParts } from '#contracts/compare.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { titled } from '#web/lib/page-meta.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import type { Route } from './+types/basket-screen'
import { PrintHead, Summary, TakenOutNote } from './basket-sum.tsx'
import { FitNote } from './fit-note.tsx'
import { fetchBasket, linesAt, loadBasket, needsParts, useList } from './kept-lines.ts'
import { LineRow } from './line-rows.tsx'

export const handle: PageHandle = { query: ['parts', 'add'] }

export const meta = titled('Basket')

const nothing: BasketParts = { parts: [], kinds: [] }
const isEmpty = (url: string) => linesAt(url).length === 0

export async function loader({ context, request: { url } }: Route.LoaderArgs) {
  const { fetchApi } = context.get(shopContext)
  return data(isEmpty(url) ? nothing : await loadBasket(fetchApi, url))
}

export const clientLoader = async ({ request: { url } }: Route.ClientLoaderArgs) =>
  isEmpty(url) ? nothing : fetchBasket(url)

export const shouldRevalidate = needsParts

/** The visitor's list of parts to book together. Its address holds all of its state. */
export default function BasketScreen({ loaderData: { parts } }: Route.ComponentProps) {
  const { named, lines, seen } = useList(parts)
  return (
    <div className="column min-h-dvh py-6 md:py-10">
      <PrintHead />
      <div className="basket-head">
        <h1 tabIndex={-1} className="text-4xl font-bold tracking-tight">
          Basket
        </h1>
        <TakenOutNote lines={named} />
      </div>
      {lines.length > 0 ? (
        <>
          <ul>
            {lines.map((line) => (
              <LineRow key={line.number} line={line} lines={named} before={seen.get(line.number)} />
            ))}
          </ul>
          <FitNote lines={lines} />
          <Summary lines={lines} name="basket" />
          <noscript>
            <p className="mt-4 text-dim text-sm">
              JavaScript is off in your browser, so each part you add starts a new basket.
            </p>
          </noscript>
          {lines.length === maxLines && (
            <p className="mt-4 text-dim text-sm">A basket holds up to {maxLines} parts.</p>
          )}
        </>
      ) : (
        <EmptyState
          title="Your basket is empty"
          action={<ButtonLink to="/parts">See the parts</ButtonLink>}
        >
          Add parts, then book and pay for them together.
        </EmptyState>
      )}
    </div>
  )
}
