import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ButtonLink } from '#web/components/button.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { ownPagesQuery } from './text-queries.ts'

/** The owner's own pages, each with its group of the footer. */
export function OwnPageList() {
  const { data, error, refetch, isFetching } = useQuery(ownPagesQuery)
  return (
    <section aria-labelledby="own-pages" className="mt-14 max-w-2xl">
      <h2 id="own-pages" className="font-display font-semibold text-2xl tracking-tight">
        Your own pages
      </h2>
      <p className="mt-1 mb-4 max-w-[56ch] text-pretty text-dim">
        Each one is linked in the footer, in the group you choose.
      </p>
      {!data && error && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="h-12" />}
      {data && data.length > 0 && (
        <ul className="mb-4 border-line border-t">
          {data.map(({ address, title, group }) => (
            <li key={address} className="border-line border-b">
              <Link
                to={`/dashboard/settings/pages/${address}`}
                className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 py-1.5 hover:text-copper"
              >
                {title}
                <span className="text-dim text-sm">{group}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {data && (
        <ButtonLink variant="quiet" to="/dashboard/settings/pages/new">
          Add a page
        </ButtonLink>
      )}
    </section>
  )
}
