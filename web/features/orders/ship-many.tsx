import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { counted } from '#contracts/counted.ts'
import { type Order, Shipment } from '#contracts/orders.ts'
import { Button } from '#web/components/button.tsx'
import { FormDialog } from '#web/components/dialogs.tsx'
import { Field } from '#web/components/field.tsx'
import { useFocusFallback } from '#web/lib/focus-fallback.ts'
import { outdate } from '#web/lib/outdated.ts'
import { shipParcel } from './admin-queries.ts'

type Outcome = { shipped: number; failed: { order: Order; why: string }[] }

/** The orders of each checkout: one parcel. */
const parcelsOf = (all: Order[]): Order[][] => [
  ...Map.groupBy(all, ({ checkoutId }) => checkoutId).values(),
]

/** Ships the parcels one after the other. One's failure does not stop the others. */
function useShipMany(selection: Selection) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<number | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  async function ship(shipment: Shipment) {
    const all = selection.selected
    const failed: Outcome['failed'] = []
    setOutcome(null)
    for (const [index, parcel] of parcelsOf(all).entries()) {
      setProgress(index)
      await shipParcel(parcel, shipment).catch((error: Error) => {
        failed.push(...parcel.map((order) => ({ order, why: error.message })))
      })
    }
    setProgress(null)
    setOutcome({ shipped: all.length - failed.length, failed })
    // failed orders stay selected for another try
    selection.select(failed.map(({ order }) => order))
    void outdate(client, 'manageOrder')
  }
  return { ship, progress, outcome, forget: () => setOutcome(null) }
}

const orders = (count: number) => counted(count, 'order')

function Result({ outcome, onForget }: { outcome: Outcome; onForget: () => void }) {
  const result = useFocusFallback<HTMLDivElement>()
  return (
    <div ref={result} className="mb-2">
      <p>
        <strong className="font-semibold">{orders(outcome.shipped)} shipped.</strong>{' '}
        {outcome.failed.length > 0 && `${orders(outcome.failed.length)} not:`}
      </p>
      <ul className="max-h-36 overflow-y-auto wrap-anywhere text-sm">
        {outcome.failed.map(({ order, why }) => (
          <li key={order._id}>
            <span className="font-semibold">{order.product}</span> for {order.email}: {why}
          </li>
        ))}
      </ul>
      <button type="button" className="link min-h-6 cursor-pointer text-sm" onClick={onForget}>
        Close
      </button>
    </div>
  )
}

/** Actions on the selected orders, and the result for each order. */
export function ShipMany({ selection }: { selection: Selection }) {
  const { ship, progress, outcome, forget } = useShipMany(selection)
  const [isAsked, setAsked] = useState(false)
  const status = useRef<HTMLDivElement>(null)
  const count = selection.selected.length
  const parcels = parcelsOf(selection.selected).length
  const isShown = count > 0 || outcome !== null
  const send = async (shipment: Shipment) => {
    await ship(shipment)
    // the button that opened the dialog may have gone with the selection
    flushSync(() => setAsked(false))
    status.current?.focus({ preventScroll: true })
  }
  const elsewhere = count - selection.selectedHere
  return (
    <div
      data-covers-bottom={isShown ? '' : undefined}
      className={
        isShown
          ? 'sticky bottom-4 z-20 mt-5 rounded-card border border-edge bg-card px-5 py-3.5'
          : undefined
      }
    >
      <div ref={status} tabIndex={-1} role="status" className="outline-none">
        {outcome && <Result outcome={outcome} onForget={forget} />}
      </div>
      {count > 0 && (
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <p className="me-auto">
            <span className="font-semibold">{orders(count)} selected</span>
            {elsewhere > 0 && <span className="text-dim">, {elsewhere} not on this page</span>}
          </p>
          {!selection.isFull && (
            <button
              type="button"
              className="link min-h-6 cursor-pointer text-sm"
              onClick={selection.toggleAll}
            >
              Select all pending on this page
            </button>
          )}
          <button
            type="button"
            className="link min-h-6 cursor-pointer text-sm"
            onClick={() => selection.select([])}
          >
            Clear selection
          </button>
          <Button onClick={() => setAsked(true)}>make shipped</Button>
        </div>
      )}
      {isAsked && (
        <ShipDialog
          many={parcels > 1}
          about={`${
            progress === null
              ? `${orders(count)}${parcels < count ? ` in ${counted(parcels, 'parcel')}` : ''}.`
              : `${parcels < count ? 'Parcel' : 'Order'} ${progress + 1} of ${parcels} is being shipped.`
          } ${parcels > 1 ? 'The customers get' : 'The customer gets'} a mail.`}
          busy={progress !== null}
          onShip={(shipment) => void send(shipment)}
          onCancel={() => setAsked(false)}
        />
      )}
    </div>
  )
}

type Props = {
  about: string
  /** The order or parcel whose shipment is corrected. */
  former?: Pick<Order, 'carrier' | 'trackingNumber'>
  /** A tracking number belongs to one parcel. */
  many?: boolean
  busy: boolean
  error?: string | undefined
  onShip: (shipment: Shipment) => void
  onCancel: () => void
  /** Other questions of the form. */
  children?: ReactNode
}

/** Asks for the carrier and tracking number of an order; both may be left empty. */
export function ShipDialog({ about, former, many = false, onShip, children, ...props }: Props) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(Shipment),
    defaultValues: {
      carrier: former?.carrier ?? '',
      trackingNumber: former?.trackingNumber ?? '',
    },
  })
  return (
    <FormDialog
      title={former ? 'Correct the tracking' : 'Make shipped'}
      about={about}
      confirmText={former ? 'Correct' : 'make shipped'}
      busyText={former ? 'Correcting…' : 'Shipping…'}
      onSubmit={handleSubmit(onShip)}
      {...props}
    >
      {children}
      <Field
        label="Carrier (optional)"
        autoComplete="off"
        error={formState.errors.carrier?.message}
        {...register('carrier')}
      />
      {!many && (
        <Field
          label="Tracking number (optional)"
          autoComplete="off"
          spellCheck={false}
          error={formState.errors.trackingNumber?.message}
          {...register('trackingNumber')}
        />
      )}
    </FormDialog>
  )
}

/** Only orders that are paid and not yet shipped can be shipped. */
const isPending = (order: Order) => order.status === 'paid'

/**
 * The orders selected for shipping. The selection survives changes of page and filter; a shown
 * order that is no longer pending drops out.
 */
export function useSelection(orders: Order[]) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Order>>(new Map())
  const shownOrders = new Map(orders.map((order) => [order._id, order]))
  const selected = [...chosen.values()]
    .map((order) => shownOrders.get(order._id) ?? order)
    .filter(isPending)
  const selectable = orders.filter(isPending)
  const isFull = selectable.every(({ _id }) => chosen.has(_id))
  const select = (some: Order[]) => setChosen(new Map(some.map((order) => [order._id, order])))
  const without = (some: Order[]) => selected.filter((order) => !some.some(sameAs(order)))
  const has = (order: Order) => isPending(order) && chosen.has(order._id)
  return {
    selected,
    selectable: selectable.length,
    selectedHere: selectable.filter(has).length,
    isFull,
    canHave: isPending,
    has,
    toggle: (order: Order) => select(has(order) ? without([order]) : [...selected, order]),
    toggleAll: () => select(isFull ? without(selectable) : [...selected, ...selectable]),
    select,
  }
}

const sameAs = (order: Order) => (other: Order) => other._id === order._id

export type Selection = ReturnType<typeof useSelection>
