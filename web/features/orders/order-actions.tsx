import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { counted } from '#contracts/counted.ts'
import { type Currency, readAmount } from '#contracts/money.ts'
import type { Order, Shipment } from '#contracts/orders.ts'
import { leftToRefund, RefundRequest, refundProblem } from '#contracts/refunds.ts'
import { FormDialog } from '#web/components/dialogs.tsx'
import { Field } from '#web/components/field.tsx'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import {
  useCorrectShipment,
  useDeleteAdminOrder,
  useRefundOrder,
  useShipParcel,
} from './admin-queries.ts'
import { DeleteOrder, inShort } from './delete-order.tsx'
import { checkoutQuery } from './queries.ts'
import { ShipDialog } from './ship-many.tsx'

/** The action to confirm, and the order it applies to. */
export type Confirming = { action: 'delete' | 'ship' | 'correct' | 'refund'; order: Order }

type Props = {
  confirming: Confirming | null
  onClose: () => void
  /** Called after the order is deleted and the focused button with it. */
  onDeleted: () => void
}

/** What is in a parcel, and for whom. */
const inLine = (order: Order, others: Order[] = []) => {
  const parts = [order, ...others].map(({ quantity, product }) => `${quantity} × ${product}`)
  return `${parts.join(', ')} for ${order.customer}.`
}

/**
 * Ships an order and, unless the admin says otherwise, the rest of its checkout in the same parcel.
 */
function ShipOne({ order, onClose }: { order: Order; onClose: () => void }) {
  const ship = useShipParcel()
  const { data: checkout } = useQuery(checkoutQuery(order))
  const [isAlone, setAlone] = useState(false)
  const others =
    checkout?.orders.filter(({ _id, status }) => status === 'paid' && _id !== order._id) ?? []
  const parcel = isAlone ? [order] : [order, ...others]
  const send = (shipment: Shipment) =>
    ship.mutate(
      { parcel, shipment },
      {
        onSuccess: () => {
          const what = parcel.length > 1 ? `${parcel.length} orders` : order.product
          void toast('success', `Shipped: ${what} for ${order.email}`)
          onClose()
        },
      },
    )
  return (
    <ShipDialog
      about={`${inLine(order, isAlone ? [] : others)} The customer gets a mail.`}
      busy={ship.isPending}
      error={ship.error?.message}
      onShip={send}
      onCancel={onClose}
    >
      {others.length > 0 && (
        <label className="mb-3 flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            className="size-5 accent-copper"
            checked={!isAlone}
            onChange={() => setAlone(!isAlone)}
          />
          In one parcel with the other {others.length === 1 ? 'order' : `${others.length} orders`}{' '}
          of its checkout
        </label>
      )}
    </ShipDialog>
  )
}

/**
 * Corrects an order and all that was shipped with it: orders of a checkout with the same shipping
 * time are one parcel.
 */
function CorrectShipment({ order, onClose }: { order: Order; onClose: () => void }) {
  const correct = useCorrectShipment()
  const { data: checkout } = useQuery(checkoutQuery(order))
  const others =
    checkout?.orders.filter(
      ({ _id, shippedAt }) => shippedAt === order.shippedAt && _id !== order._id,
    ) ?? []
  const parcel = [order, ...others]
  const send = (shipment: Shipment) =>
    correct.mutate(
      { parcel, shipment },
      {
        onSuccess: () => {
          void toast('success', `The tracking of order ${order.number} is corrected`)
          onClose()
        },
      },
    )
  return (
    <ShipDialog
      about={`In the parcel: ${inLine(order, others)} The customer gets a mail about a change.`}
      former={order}
      busy={correct.isPending}
      error={correct.error?.message}
      onShip={send}
      onCancel={onClose}
    />
  )
}

/** What deleting an order does, and that the customer gets a mail. */
function Deletion({ order }: { order: Order }) {
  return (
    <>
      {inShort(order)}, {order.email}.{' '}
      {order.holdExpiresAt &&
        `The ${counted(order.quantity, 'unit')} it holds can be booked again. `}
      The customer can no longer pay for it, and gets a mail.
    </>
  )
}

/** The dialogs for an admin to ship, refund or delete an order, or to correct its shipment. */
export function OrderActions({ confirming, onClose, onDeleted }: Props) {
  const remove = useDeleteAdminOrder()
  return (
    <>
      {confirming?.action === 'ship' && <ShipOne order={confirming.order} onClose={onClose} />}
      {confirming?.action === 'correct' && (
        <CorrectShipment order={confirming.order} onClose={onClose} />
      )}
      {confirming?.action === 'refund' && (
        <RefundDialog order={confirming.order} onClose={onClose} />
      )}
      <DeleteOrder
        order={confirming?.action === 'delete' ? confirming.order : null}
        title="Are you sure you want to delete this order?"
        describe={(order) => <Deletion order={order} />}
        remove={remove}
        onClose={onClose}
        onDeleted={onDeleted}
      />
    </>
  )
}

type RefundDialogProps = { order: Order; onClose: () => void }

/**
 * Parses the typed text as a number. An empty field gives undefined, for which the contract has a
 * message.
 */
const typedBy = (read: (text: string) => number) => (typed: string | number) =>
  String(typed).trim() === '' ? undefined : read(String(typed))

/**
 * The contract's rules, plus the limits of this order: what is left to refund and the units booked.
 */
const rulesFor = (order: Order, currency: Currency) =>
  RefundRequest.superRefine(({ amount, restock }, issues) => {
    const tooMuch = refundProblem(amount, leftToRefund(order), currency)
    if (tooMuch) issues.addIssue({ code: 'custom', path: ['amount'], message: tooMuch })
    if (restock > order.quantity) {
      const message = `Restock cannot be more than the ${order.quantity} booked`
      issues.addIssue({ code: 'custom', path: ['restock'], message })
    }
  })

function useRefundForm(order: Order, onClose: () => void) {
  const money = useMoney()
  const currency = useCurrency()
  const refund = useRefundOrder()
  // retries with this key make one refund; a refused refund is void, so the next try gets a new key
  const [key, setKey] = useState(() => crypto.randomUUID())
  const form = useForm({
    resolver: zodResolver(rulesFor(order, currency)),
    defaultValues: { amount: leftToRefund(order), reason: '', restock: 0 },
  })
  const send = form.handleSubmit((request) =>
    refund.mutate(
      { id: order._id, request, key },
      {
        onSuccess: ({ state }) => {
          const refundText = `${money(request.amount)} to ${order.customer}`
          if (state === 'succeeded') void toast('success', `Refunded ${refundText}`)
          else void toast('info', `The refund of ${refundText} is on its way`)
          onClose()
        },
        onError: (problem) => {
          if (problem instanceof ApiError && problem.code === 'REFUND_REFUSED')
            setKey(crypto.randomUUID())
        },
      },
    ),
  )
  return { form, send, busy: refund.isPending, error: refund.error?.message }
}

/** Refunds an order in full or in part, with a reason, and restocks returned units. */
function RefundDialog({ order, onClose }: RefundDialogProps) {
  const money = useMoney()
  const currency = useCurrency()
  const { form, send, busy, error } = useRefundForm(order, onClose)
  const { errors } = form.formState
  return (
    <FormDialog
      title="Refund"
      about={`${order.quantity} × ${order.product} for ${order.customer}, ${money(leftToRefund(order))} can be refunded.`}
      confirmText="Refund"
      busyText="Refunding…"
      busy={busy}
      error={error}
      onSubmit={send}
      onCancel={onClose}
    >
      <Field
        label={`Amount in ${currency}`}
        inputMode="decimal"
        autoComplete="off"
        error={errors.amount?.message}
        {...form.register('amount', { setValueAs: typedBy(readAmount) })}
      />
      <Field
        label="Reason"
        hint="Only the shop reads it."
        autoComplete="off"
        error={errors.reason?.message}
        {...form.register('reason')}
      />
      <Field
        label="Restock"
        hint={`Units that go back on the shelf, 0 to ${order.quantity}.`}
        inputMode="numeric"
        autoComplete="off"
        error={errors.restock?.message}
        {...form.register('restock', { setValueAs: typedBy(Number) })}
      />
    </FormDialog>
  )
}
