import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { isBookable } from '#contracts/catalogue.ts'
import { dollars, totalPriceOf } from '#contracts/money.ts'
import type { Part } from '#contracts/parts.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { Picture } from '#web/components/picture.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { anchorOf } from '#web/lib/structured-data.ts'
import { partsQuery } from './queries.ts'
import { featuredParts, stockNotice } from './stock.ts'

const sizes = '(width >= 72rem) 380px, (width >= 44rem) 46vw, 92vw'

/** One part of the grid. `priority` for those that are seen first. */
function PartCard({ part, priority }: { part: Part; priority: boolean }) {
  const bookable = isBookable(part)
  const least = part.minimumOrderQuantity
  return (
    <li id={anchorOf(part)} className="card part-card">
      <div className="plate">
        <Picture
          src={part.image}
          facts={part.picture}
          alt={`${part.name}, ${part.kind}`}
          sizes={sizes}
          priority={priority}
          className={bookable ? '' : 'opacity-60 grayscale-50'}
        />
      </div>
      <div className="flex flex-1 flex-col px-6 pb-6">
        <p className="label kind">{part.kind}</p>
        <h3 className="mt-1 text-2xl font-semibold tracking-tight">{part.name}</h3>
        <p className="mt-2 mb-5 min-h-[3em] text-dim">{part.description}</p>
        <dl className="spec mt-auto">
          <div>
            <dt>Minimum order quantity</dt>
            <dd>{least}</dd>
          </div>
          <div>
            <dt>Available quantity</dt>
            <dd className={bookable ? 'text-green' : 'text-dim'}>{part.availableQuantity}</dd>
          </div>
        </dl>
        <div className="mt-4 flex min-h-15 items-center justify-between gap-4">
          <div>
            <p className="font-display text-3xl font-bold tracking-tight tabular-nums">
              {dollars(part.price)}
            </p>
            {least > 1 && (
              <p className="label">
                {least} for {dollars(totalPriceOf(least, part.price))}
              </p>
            )}
          </div>
          {bookable ? (
            <ButtonLink to={`/purchase/${part._id}`} aria-label={`Book now: ${part.name}`}>
              Book now
            </ButtonLink>
          ) : (
            <Link
              to={`/purchase/${part._id}`}
              aria-label={`${stockNotice(part)}: ${part.name}`}
              className="link inline-flex min-h-11 items-center font-mono text-sm"
            >
              {stockNotice(part)}
            </Link>
          )}
        </div>
      </div>
    </li>
  )
}

const cardsInFirstRow = 3

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

function Section({ note, children }: { note?: string; children: ReactNode }) {
  return (
    <section id="parts" aria-labelledby="parts-title" className="column pt-20 md:pt-24">
      <div className="mb-8 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="parts-title" className="text-4xl font-bold tracking-tight md:text-5xl">
          Our parts
        </h2>
        <p className="label min-h-5 uppercase">{note}</p>
      </div>
      {children}
    </section>
  )
}

/** 'Our parts': three columns on large screens, two on medium ones, one on a phone. */
export function PartGrid({ initial }: { initial?: Part[] }) {
  const { data, error, refetch, isFetching } = useQuery({ ...partsQuery, initialData: initial })
  if (!data) {
    return (
      <Section>
        {error ? (
          <ErrorState
            message={error.message}
            requestId={error instanceof ApiError ? error.requestId : undefined}
            retrying={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <div className="part-grid" aria-busy="true">
            {Array.from({ length: 6 }, (_, i) => (
              <Skeleton key={i} className="h-[36rem]" />
            ))}
          </div>
        )}
      </Section>
    )
  }
  if (data.length === 0) {
    return (
      <Section>
        <EmptyState title="No parts yet">The shop is new: its parts will be here soon.</EmptyState>
      </Section>
    )
  }
  // the banner has loaded this one's picture already
  const [above] = featuredParts(data)
  const kinds = new Set(data.map((part) => part.kind)).size
  return (
    <Section note={`${plural(data.length, 'part')} · ${plural(kinds, 'kind')}`}>
      <ul className="part-grid">
        {data.map((part, i) => (
          <PartCard key={part._id} part={part} priority={i < cardsInFirstRow && part !== above} />
        ))}
      </ul>
    </Section>
  )
}
