import { lazy, type ReactNode, Suspense } from 'react'
import type { PartOnSale } from '#contracts/part-pages.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { useSession } from '#web/lib/session/session.ts'

// only the browser requests the queue's length and the user's place: all visitors get the same
// rendering
const PlaceLine = lazy(withTimeout(() => import('./place-line.tsx')))

const label = 'Tell me when it’s back'

type Props = {
  part: Pick<PartOnSale, '_id' | 'minimumOrderQuantity'>
  /** In a phone's bar, which has room only for the button; the other button is hidden there. */
  inBar?: boolean
}

/**
 * For a sold-out part: a button to join its queue, and a line about the queue, whose space is
 * reserved while it loads.
 */
export function WaitLink({ part, inBar = false }: Props) {
  const { status } = useSession()
  const show = (button: ReactNode, line: ReactNode, problem?: string) => (
    <div className={inBar ? 'grid justify-items-end gap-2' : 'grid basis-full gap-2'}>
      <div className={inBar ? 'order-1' : 'max-lg:hidden'}>{button}</div>
      {!inBar && (
        <p role="status" className="min-h-6 text-dim">
          {line}
        </p>
      )}
      <p role="alert" className="text-danger text-sm empty:hidden">
        {problem}
      </p>
    </div>
  )
  const plain = show(<ButtonLink to={`/purchase/${part._id}`}>{label}</ButtonLink>, null)
  if (status === 'unknown') return plain
  return (
    <Suspense fallback={plain}>
      <PlaceLine part={part} text={label} isUser={status === 'user'} show={show} />
    </Suspense>
  )
}
