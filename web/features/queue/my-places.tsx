import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from 'react-router'
import type { QueuePlace } from '#contracts/queue.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { Picture } from '#web/components/picture.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { duration } from '#web/lib/moments.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useNow } from '#web/lib/use-now.ts'
import { expectedText, inLine, secondsLeft, units } from './place-text.ts'
import { placesQuery, useLeaveQueue } from './queries.ts'

function PlaceRow({ place, now, onLeft }: { place: QueuePlace; now: number; onLeft: () => void }) {
  const leave = useLeaveQueue(onLeft)
  const at = `/purchase/${place.partId}`
  const left = secondsLeft(place, now)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-line border-t py-4">
      <div className="w-16 shrink-0 thumb">
        <Picture src={place.image} alt="" sizes="64px" />
      </div>
      <div className="min-w-40 flex-1">
        <Link to={at} className="link inline-block min-h-6 text-balance font-semibold">
          {place.product}
        </Link>
        <p className="text-dim text-sm">
          {place.isOffered
            ? `Set aside for you: ${units(place.offerQuantity)}`
            : `You’re ${inLine(place.position)}, for ${units(place.quantity)}`}
          {!place.isOffered && place.expected && `. ${expectedText(place.expected)}.`}
          {left !== null && (
            <span className="font-mono text-xs tabular-nums"> {duration(left)} left</span>
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        {place.isOffered && <ButtonLink to={at}>Book it now</ButtonLink>}
        <RowButton
          busy={leave.isPending}
          aria-label={`Leave the queue: ${place.product}`}
          onClick={() =>
            leave.mutate(place, { onError: (problem) => toast('error', problem.message) })
          }
        >
          Leave
        </RowButton>
      </div>
    </li>
  )
}

/** The parts that the user waits for, and offers; renders nothing without a place. */
export function MyPlaces() {
  const heading = useRef<HTMLHeadingElement>(null)
  const { data: places = [] } = useQuery(placesQuery)
  const now = useNow(places.some(({ isOffered }) => isOffered))
  if (places.length === 0) return null
  return (
    <section aria-labelledby="places" className="mt-10">
      <h2
        id="places"
        ref={heading}
        tabIndex={-1}
        className="mb-4 font-semibold text-2xl tracking-tight"
      >
        You’re waiting for
      </h2>
      <ul className="border-line border-b">
        {places.map((place) => (
          <PlaceRow
            key={place._id}
            place={place}
            now={now}
            onLeft={() => heading.current?.focus()}
          />
        ))}
      </ul>
    </section>
  )
}
