import { lazy, type ReactNode, Suspense } from 'react'
import { ButtonLink } from '#web/components/button.tsx'
import { withTimeout } from '#web/lib/load-script.ts'
import { useSession } from '#web/lib/session.ts'

// who waits, and where, is asked by the browser alone: the page is one rendering for all visitors
const PlaceLine = lazy(withTimeout(() => import('./place-line.tsx')))

/** For a part that is sold out: the way to its queue, and a line about it whose room is kept while it loads. */
export function WaitLink({ partId }: { partId: string }) {
  const { status } = useSession()
  const show = (label: string, line: ReactNode) => (
    <div className="grid basis-full justify-items-start gap-2">
      <ButtonLink to={`/purchase/${partId}`}>{label}</ButtonLink>
      <p role="status" className="min-h-6 text-dim">
        {line}
      </p>
    </div>
  )
  const plain = show('Tell me when it is back', null)
  if (status === 'unknown') return plain
  return (
    <Suspense fallback={plain}>
      <PlaceLine partId={partId} isUser={status === 'user'} show={show} />
    </Suspense>
  )
}
