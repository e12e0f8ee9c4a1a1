import { useLayoutEffect, useRef } from 'react'
import type { Order } from '#contracts/orders.ts'
import { RowButton } from '#web/components/row-button.tsx'
import { toast } from '#web/lib/toast.ts'
import { useReleaseHold } from './admin-queries.ts'

/** Puts the units that an unpaid order holds back on the shelf. */
export function ReleaseHold({ order }: { order: Order }) {
  const release = useReleaseHold()
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const own = button.current
    // with the hold its button goes, and the focus must not be lost with it
    return () => {
      if (document.activeElement === own) document.querySelector<HTMLElement>('main h1')?.focus()
    }
  }, [])
  const units = `${order.quantity} × ${order.product}`
  return (
    <RowButton
      ref={button}
      busy={release.isPending}
      aria-label={`release: ${units}, held for ${order.email}`}
      onClick={() =>
        release.mutate(order._id, {
          onSuccess: () => toast('success', `${units} are free again`),
          onError: (problem) => toast('error', problem.message),
        })
      }
    >
      release
    </RowButton>
  )
}
