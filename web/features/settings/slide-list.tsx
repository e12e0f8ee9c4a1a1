import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { slideCount } from '#contracts/slides.ts'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { slidesQuery } from './slide-queries.ts'

/** The slides of the home page, and which of them are the owner's own. */
export function SlideList() {
  const { data, error, refetch, isFetching } = useQuery(slidesQuery)
  return (
    <section aria-labelledby="slides" className="mt-14 max-w-2xl">
      <h2 id="slides" className="font-display font-semibold text-2xl tracking-tight">
        Home page slides
      </h2>
      <p className="mt-1 max-w-[56ch] text-pretty text-dim">
        The standard slides explain how booking works. You can replace them with your own.
      </p>
      {!data && error && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="mt-4 h-36" />}
      {data && (
        <ul className="mt-4 border-line border-t">
          {data.map(({ place, title }) => (
            <li key={place} className="border-line border-b">
              <Link
                to={`/dashboard/settings/slides/${place}`}
                className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 py-1.5 hover:text-copper"
              >
                Slide {place} of {slideCount}
                <span className="text-dim text-sm">{title || 'standard slide'}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
