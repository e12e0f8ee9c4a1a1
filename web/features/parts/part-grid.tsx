import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Part } from '#contracts/parts.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { PartCard } from './part-card.tsx'
import { partsQuery } from './queries.ts'
import { featuredParts } from './stock.ts'

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
