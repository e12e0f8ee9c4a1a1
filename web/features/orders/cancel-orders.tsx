import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Checkout } from '#contracts/checkouts.ts'
import { cents, fromCents, sumOf } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import { leftToRefund } from '#contracts/refunds.ts'
import { Button } from '#web/components/button.tsx'
import { ConfirmDialog } from '#web/components/dialogs.tsx'
import { api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { checkoutQuery } from './queries.ts'

const isOpen = ({ status }: Order) => status === 'paid'

/** What goes back to the card: with the delivery, once nothing is left to send. */
function goesBack({ orders, shipping }: Checkout, canceled: Order[]): number {
  const isNothingSent = orders.every(
    (order) => order.status === 'refunded' || canceled.includes(order),
  )
  const ofShipping = isNothingSent ? cents(shipping.paid) - cents(shipping.refunded) : 0
  return sumOf([...canceled.map(leftToRefund), fromCents(ofShipping)])
}

/** POST /checkout/{id}/cancel. Repeating a key does not refund twice. */
function useCancelOrders(checkoutId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ orderIds, key }: { orderIds: string[]; key: string }) => {
      const args = { param: { id: checkoutId }, json: { orderIds } }
      const headers = { 'Idempotency-Key': key }
      return (await api.checkout[':id'].cancel.$post(args, { headers })).json()
    },
    onSettled: () => {
      void outdate(client, 'cancelOrders')
    },
  })
}

type DialogProps = { checkout: Checkout; orders: Order[]; onClose: () => void }

function CancelDialog({ checkout, orders, onClose }: DialogProps) {
  const money = useMoney()
  const cancel = useCancelOrders(checkout._id)
  const [key] = useState(() => crypto.randomUUID())
  // a double click can arrive before the dialog shows that it is busy
  const isSent = useRef(false)
  const back = money(goesBack(checkout, orders))
  const confirm = () => {
    if (isSent.current) return
    isSent.current = true
    const orderIds = orders.map(({ _id }) => _id)
    cancel.mutate(
      { orderIds, key },
      {
        onSuccess: ({ state }) => {
          const when = state === 'succeeded' ? 'goes' : 'will go'
          void toast('success', `Canceled. ${back} ${when} back to your card.`)
        },
        onError: (problem) => toast('error', problem.message),
        onSettled: onClose,
      },
    )
  }
  return (
    <ConfirmDialog
      open
      title={orders.length === 1 ? 'Cancel this order?' : `Cancel these ${orders.length} orders?`}
      confirmText={orders.length === 1 ? 'Cancel the order' : 'Cancel the orders'}
      dismissText="Keep"
      busy={cancel.isPending}
      onCancel={onClose}
      onConfirm={confirm}
    >
      <ul>
        {orders.map(({ _id, quantity, product }) => (
          <li key={_id} className="break-words">
            {quantity} × {product}
          </li>
        ))}
      </ul>
      <p className="mt-2">{back} goes back to the card it was paid with.</p>
    </ConfirmDialog>
  )
}

/** Cancels a paid order that is not shipped yet, alone or with the others of its checkout. */
export function CancelOrders({ order }: { order: Order }) {
  const { data: checkout } = useQuery(checkoutQuery(order))
  const [asked, setAsked] = useState<Order[] | null>(null)
  const open = checkout?.orders.filter(isOpen) ?? []
  const own = open.filter(({ _id }) => _id === order._id)
  if (!checkout || own.length === 0) return null
  return (
    <>
      <Button variant="quiet" onClick={() => setAsked(own)}>
        Cancel this order
      </Button>
      {open.length > 1 && (
        <Button variant="quiet" onClick={() => setAsked(open)}>
          Cancel all {open.length}
        </Button>
      )}
      {asked && <CancelDialog checkout={checkout} orders={asked} onClose={() => setAsked(null)} />}
    </>
  )
}
