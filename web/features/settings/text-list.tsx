import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { titleOf } from '#web/content/text-pages.ts'
import { textsQuery } from './text-queries.ts'

/** The pages of text, and which of them have the owner's own. */
export function TextList() {
  const { data, error, refetch, isFetching } = useQuery(textsQuery)
  return (
    <section aria-labelledby="texts" className="mt-14 max-w-2xl">
      <h2 id="texts" className="font-display font-semibold text-2xl tracking-tight">
        Texts
      </h2>
      <p className="mt-1 max-w-[56ch] text-pretty text-dim">
        Each page starts with a standard text based on your settings. It speaks in your name, so
        read it, and write your own wherever your terms differ.
      </p>
      {!data && error && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="mt-4 h-[30rem]" />}
      {data && (
        <ul className="mt-4 border-line border-t">
          {data.map(({ page, text }) => (
            <li key={page} className="border-line border-b">
              <Link
                to={`/dashboard/settings/texts/${page}`}
                className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 py-1.5 hover:text-copper"
              >
                {titleOf(`/${page}`)}
                <span className="text-dim text-sm">{text ? 'your text' : 'standard text'}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
