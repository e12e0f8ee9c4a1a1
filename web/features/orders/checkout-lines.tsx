import '#web/styles/basket.css'
import { Link } from 'react-router'
import type { Order } from '#contracts/orders.ts'
import { Picture } from '#web/components/picture.tsx'
import { useMoney } from '#web/lib/use-money.ts'

type Props = {
  orders: Order[]
  /** The order without a link: the page's own; `all` while they are being paid. */
  unlinked: string
}

/** What became of a paid order. */
function Outcome({ order: { refunded, shippedAt } }: { order: Order }) {
  const money = useMoney()
  const words = [shippedAt && 'shipped', refunded > 0 && `${money(refunded)} refunded`]
  const text = words.filter(Boolean).join(', ')
  return text ? <p className="text-dim text-sm">{text}</p> : null
}

/** The orders of a checkout, one per line, and their total. */
export function CheckoutLines({ orders, unlinked }: Props) {
  const money = useMoney()
  const [first] = orders
  return (
    <>
      <ul>
        {orders.map((order) => {
          const { _id, image, product, number, quantity, price, totalPrice } = order
          return (
            <li key={_id} className="order-line">
              <div className="overflow-hidden rounded-xl border border-line bg-linear-to-b from-plate to-card">
                <Picture src={image} alt="" sizes="56px" />
              </div>
              <div className="min-w-0">
                {unlinked === 'all' || unlinked === _id ? (
                  <span className="break-words font-semibold">{product}</span>
                ) : (
                  <Link
                    to={`/dashboard/order/${_id}`}
                    className="link inline-block min-h-6 break-words font-semibold"
                  >
                    {product}
                  </Link>
                )}
                <p className="font-mono text-dim text-sm tabular-nums">
                  {number}, {quantity} × {money(price)}
                </p>
                <Outcome order={order} />
              </div>
              <p className="font-mono tabular-nums">{money(totalPrice)}</p>
            </li>
          )
        })}
      </ul>
      {first && (
        <p className="order-sum">
          Total price <span className="font-mono tabular-nums">{money(first.checkoutTotal)}</span>
        </p>
      )}
    </>
  )
}
