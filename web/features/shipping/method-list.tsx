import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { whole } from '#contracts/counted.ts'
import { daysText } from '#contracts/shipping-rules.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { useMoney } from '#web/lib/use-money.ts'
import { methodsQuery } from './queries.ts'

/** The ways in which the shop delivers, for its owner. */
export function MethodList() {
  const money = useMoney()
  const { data, error, refetch, isFetching } = useQuery(methodsQuery)
  return (
    <section aria-labelledby="shipping" className="mt-14 max-w-2xl">
      <h2 id="shipping" className="font-display font-semibold text-2xl tracking-tight">
        Shipping
      </h2>
      <p className="mt-1 max-w-[56ch] text-pretty text-dim">
        As soon as there is one way of delivery, customers choose it and say where to before they
        pay. Without any, you agree with each by phone.
      </p>
      {!data && error && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="mt-4 h-24" />}
      {data && data.length > 0 && (
        <ul className="mt-4 border-line border-t">
          {data.map((method) => (
            <li key={method._id} className="border-line border-b">
              <Link
                to={`/dashboard/settings/shipping/${method._id}`}
                className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 py-1.5 hover:text-copper"
              >
                {method.name}
                <span className="text-dim text-sm">
                  {method.type === 'pick up' ? 'pick-up' : daysText(method)},{' '}
                  {method.steps.map(({ upToG, price }) => `${money(price)} to ${whole(upToG)} g, `)}
                  {method.price === 0 ? 'free' : money(method.price)}
                  {method.steps.length > 0 && ' above'}
                  {method.freeFrom !== null && `, free from ${money(method.freeFrom)}`}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-2">
        <ButtonLink to="/dashboard/settings/shipping/new" variant="quiet">
          Add a way of delivery
        </ButtonLink>
        {data?.some(({ steps }) => steps.length > 0) && (
          <Link
            to="/dashboard/manageProducts?misses=weightG"
            className="link inline-flex min-h-11 items-center"
          >
            Products without a weight
          </Link>
        )}
      </div>
    </section>
  )
}
