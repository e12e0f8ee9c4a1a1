import { queryOptions, useQuery } from '@tanstack/react-query'
import { NavLink, useLocation } from 'react-router'
import { isBookable } from '#contracts/catalogue.ts'
import { Picture } from '#web/components/picture.tsx'
import { Skeleton } from '#web/components/states.tsx'
import { api } from '#web/lib/api.ts'
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

type Props = {
  /** The part's id. */
  part: string
  /** The action of the form below, to begin a sentence. */
  verb: string
}

/**
 * The part to be booked, with links to Login and Sign Up. In a separate file, so that only visitors
 * who come from a part load it.
 */
export default function PartThatWaits({ part, verb }: Props) {
  const { data, isPending } = useQuery(partQuery(part))
  const known = data?.isOnSale ? data : null
  const purpose = known && !isBookable(known) ? 'wait for' : 'book'
  return (
    <div className="mt-5">
      <div className="flex min-h-18 items-center gap-4" aria-busy={isPending}>
        {isPending && <Skeleton className="h-18 w-24 shrink-0 rounded-lg" />}
        {known && (
          <div className="w-24 shrink-0 overflow-hidden rounded-lg bg-plate">
            <Picture
              src={known.image}
              facts={known.picture}
              alt={known.name}
              sizes="96px"
              priority
            />
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
      <Ways />
    </div>
  )
}
