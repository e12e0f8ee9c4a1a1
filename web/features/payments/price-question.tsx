import { useEffect, useRef } from 'react'
import { dollars } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'

type Props = {
  order: Order
  /** What it costs now, in whole dollars. */
  totalPrice: number
  onAgree: () => void
}

/** Asks whether an order whose price has changed is still wanted, before anything is opened. */
export function PriceQuestion({ order, totalPrice, onAgree }: Props) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // the card and its button went while they had the focus
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={place} tabIndex={-1} role="alert" className="grid gap-4 outline-none">
      <p className="font-display text-2xl font-semibold tracking-tight">
        The price has changed to {dollars(totalPrice)}
      </p>
      <p className="text-pretty text-dim text-sm">
        It was {dollars(order.totalPrice)} while the parts were held for you. The hold is over, and
        nothing was charged. Do you want them at the new price?
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onAgree}>Go on with {dollars(totalPrice)}</Button>
        <ButtonLink to="/dashboard/myOrders" variant="quiet">
          My orders
        </ButtonLink>
      </div>
    </div>
  )
}
