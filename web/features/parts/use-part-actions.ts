import { useEffect, useRef, useState } from 'react'
import type { AdminPart } from '#contracts/parts.ts'
import { toast } from '#web/lib/toast.ts'
import { useDeletePart, useRestorePart } from './admin-queries.ts'

/** Deleting with a question before and a way back after, and bringing back. */
export function usePartActions() {
  const remove = useDeletePart()
  const restore = useRestorePart()
  const [asked, setAsked] = useState<AdminPart | null>(null)
  const [deleted, setDeleted] = useState<AdminPart | null>(null)
  const [moves, setMoves] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  // a double click comes before anything shows that it is busy
  const working = useRef(false)

  // the row and its button are gone: reading goes on at the top of the list
  useEffect(() => {
    if (moves > 0) heading.current?.focus()
  }, [moves])

  function run(deed: typeof remove, part: AdminPart, done: () => void) {
    if (working.current) return
    working.current = true
    deed.mutate(part, {
      onSuccess: () => {
        done()
        setMoves((count) => count + 1)
      },
      onError: (problem) => toast('error', problem.message),
      onSettled: () => {
        working.current = false
        setAsked(null)
      },
    })
  }

  return {
    heading,
    asked,
    ask: setAsked,
    deleted,
    forget: () => setDeleted(null),
    isDeleting: remove.isPending,
    restoring: restore.isPending ? restore.variables._id : undefined,
    remove: (part: AdminPart) => run(remove, part, () => setDeleted(part)),
    restore: (part: AdminPart) =>
      run(restore, part, () => {
        setDeleted(null)
        void toast('success', `${part.name} is on sale again`)
      }),
  }
}
