import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { counted, whole } from '#contracts/counted.ts'
import type { HomeParts } from '#contracts/part-lists.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { PriceNote } from '#web/components/price-note.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { PartCard } from '#web/features/catalogue/part-card.tsx'
import { homePartsQuery } from '#web/features/catalogue/queries.ts'
import { ApiError } from '#web/lib/api-error.ts'

function Section({ note, children }: { note?: string; children: ReactNode }) {
  return (
    <section id="parts" aria-labelledby="parts-title" className="column pt-12 md:pt-20">
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="parts-title" className="section-title">
          Our parts
        </h2>
        <p className="label min-h-5 uppercase">{note}</p>
        <PriceNote className="basis-full" />
      </div>
      {children}
    </section>
  )
}

/** 'Our parts': three columns on large screens, two on others. */
export function PartGrid({ initial }: { initial?: HomeParts }) {
  const { data, error, refetch, isFetching } = useQuery({ ...homePartsQuery, initialData: initial })
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
          <div className="sheet part-grid" aria-busy="true">
            {Array.from({ length: 6 }, (_, i) => (
              <Skeleton key={i} className="h-88" />
            ))}
          </div>
        )}
      </Section>
    )
  }
  const { parts, total, kinds } = data
  if (total === 0) {
    return (
      <Section>
        <EmptyState title="No parts yet">The shop is new: its parts will be here soon.</EmptyState>
      </Section>
    )
  }
  return (
    <Section
      note={`${counted(total, 'part')} · ${counted(kinds.length, 'category', 'categories')}`}
    >
      <ul className="sheet part-grid">
        {parts.map((part) => (
          <PartCard
            key={part._id}
            part={part}
            id={`part-${part._id}`}
            top={<span className="label kind">{part.kind}</span>}
            hasFigures
          >
            <p className="mt-1 line-clamp-2 text-dim text-sm">{part.description}</p>
          </PartCard>
        ))}
      </ul>
      {total > parts.length && (
        <p className="mt-8 text-center">
          <ButtonLink to="/parts" variant="quiet">
            See all {whole(total)} parts
          </ButtonLink>
        </p>
      )}
    </Section>
  )
}
