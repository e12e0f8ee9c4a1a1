import { queryOptions, useQuery } from '@tanstack/react-query'
import { NavLink, useLocation } from 'react-router'
import { type BasketLine, basketIn, basketTotal } from '#contracts/basket.ts'
import { isBookable } from '#contracts/catalogue.ts'
import { counted } from '#contracts/counted.ts'
import { Picture } from '#web/components/picture.tsx'
import { Skeleton } from '#web/components/states.tsx'
import { api } from '#web/lib/api.ts'
import { basketPartsQuery } from '#web/lib/basket-parts.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { useReturnPath } from './redirect-back.tsx'

/** The part, as its page shows it. */
const partQuery = (part: string) =>
  queryOptions({
    queryKey: ['waiting-part', part],
    queryFn: async () => (await api.parts[':part'].$get({ param: { part } })).json(),
  })

const ways = [
  { name: 'Login', to: '/login' },
  { name: 'Sign Up', to: '/register' },
]

/** Login and Sign Up side by side: most customers have no account when they first book. */
function Ways() {
  const { state } = useLocation()
  const from = useReturnPath()
  return (
    <nav aria-label="Login or Sign Up" className="mt-4 grid grid-cols-2 gap-2">
      {ways.map(({ name, to }) => (
        <NavLink
          key={to}
          to={to}
          state={state ?? { from }}
          className="button button-quiet aria-[current=page]:border-2 aria-[current=page]:border-copper"
        >
          {name}
        </NavLink>
      ))}
    </nav>
  )
}

type Verb = {
  /** The action of the form below, to begin a sentence. */
  verb: string
}

/** @param part its id */
function Part({ part, verb }: Verb & { part: string }) {
  const { data, isPending } = useQuery(partQuery(part))
  const known = data?.isOnSale ? data : null
  const purpose = known && !isBookable(known) ? 'wait for' : 'book'
  return (
    <div className="flex min-h-18 items-center gap-4" aria-busy={isPending}>
      {isPending && <Skeleton className="h-18 w-24 shrink-0 rounded-lg" />}
      {known && (
        <div className="w-24 shrink-0 overflow-hidden rounded-lg bg-plate">
          <Picture src={known.image} facts={known.picture} alt={known.name} sizes="96px" priority />
        </div>
      )}
      <p className="min-w-0 wrap-anywhere">
        {!isPending && (
          <>
            {verb} to {purpose} <strong>{known?.name ?? 'this part'}</strong>
          </>
        )}
      </p>
    </div>
  )
}

/** How many parts wait, their names as far as two lines go, and what they cost. */
function Basket({ lines, verb }: Verb & { lines: BasketLine[] }) {
  const money = useMoney()
  const { data } = useQuery(basketPartsQuery(lines))
  const known = lines.map(({ number, quantity }) => ({
    part: data?.parts.find((each) => each.number === number),
    quantity,
  }))
  return (
    <div className="min-h-18" aria-busy={!data}>
      <p>
        {verb} to book <strong>your basket of {counted(lines.length, 'part')}</strong>
        {data && `, ${money(basketTotal(known))} in total`}
      </p>
      <p className="mt-1 line-clamp-2 text-dim text-sm wrap-anywhere">
        {known.flatMap(({ part }) => part?.name ?? []).join(', ')}
      </p>
    </div>
  )
}

/**
 * What is to be booked, with links to Login and Sign Up. In a separate file, so that only visitors
 * who come from a part or the basket load it.
 * @param at the path of the page that books it
 */
export default function PurchaseThatWaits({ at, verb }: Verb & { at: string }) {
  const { pathname, searchParams } = new URL(at, location.origin)
  const part = /^\/purchase\/([\w-]+)/.exec(pathname)?.[1]
  const lines = basketIn(searchParams.get('parts') ?? '')
  if (!part && lines.length === 0) return null
  return (
    <div className="mt-5">
      {part ? <Part part={part} verb={verb} /> : <Basket lines={lines} verb={verb} />}
      <Ways />
    </div>
  )
}
