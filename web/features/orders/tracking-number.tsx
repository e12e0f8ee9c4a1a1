import { trackingUrl } from '#contracts/carriers.ts'
import type { Order } from '#contracts/orders.ts'

/** The number of a parcel, leading to where it can be followed when its carrier is a known one. */
export function TrackingNumber({ order }: { order: Pick<Order, 'carrier' | 'trackingNumber'> }) {
  const url = trackingUrl(order)
  if (!url) return <span className="select-all">{order.trackingNumber}</span>
  return (
    <a className="link" href={url} target="_blank" rel="noreferrer">
      {order.trackingNumber}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
