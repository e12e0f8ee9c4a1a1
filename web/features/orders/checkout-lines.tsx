import '#web/styles/basket.css'
import { Link } from 'react-router'
import type { Checkout } from '#contracts/checkouts.ts'
import { sumOf, sumOfTotals } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import { percent } from '#contracts/tax.ts'
import { Picture } from '#web/components/picture.tsx'
import { useMoney } from '#web/lib/use-money.ts'
import { useShop } from '#web/lib/use-shop.ts'

type Props = {
  checkout: Checkout
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

function Sum({ name, amount, isTotal }: { name: string; amount: number; isTotal?: boolean }) {
  const money = useMoney()
  return (
    <p className={isTotal ? 'order-sum' : 'flex justify-between gap-4 py-1 text-dim'}>
      {name}{' '}
      <span className="font-mono tabular-nums">
        {amount === 0 && !isTotal ? 'free' : money(amount)}
      </span>
    </p>
  )
}

/** What a checkout costs: with shipping and tax, where there are any, each in its line. */
export function CheckoutSums({ checkout: { orders, shipping, due } }: Pick<Props, 'checkout'>) {
  const { method, price, tax, taxMode, taxName, taxRate } = shipping
  const taxed = `${taxName} ${percent(taxRate)}`
  const isAdded = taxMode === 'added' && tax > 0
  return (
    <>
      {(method !== null || isAdded) && <Sum name="Goods" amount={sumOfTotals(orders)} />}
      {method !== null && <Sum name={method} amount={price} />}
      {isAdded && <Sum name={taxed} amount={tax} />}
      <Sum name="Total price" amount={due} isTotal />
      {taxMode === 'included' && tax > 0 && <Sum name={`Includes ${taxed}`} amount={tax} />}
    </>
  )
}

type ChosenProps = Pick<Props, 'checkout'> & { method: Checkout['methods'][number] }

/**
 * What an unpaid checkout costs with a method that is not chosen yet. A tax that is added depends
 * on the address, so it comes with the choice.
 */
export function SumsWith({ checkout: { orders }, method }: ChosenProps) {
  const sale = useShop().sale
  const goods = sumOfTotals(orders)
  return (
    <>
      <Sum name="Goods" amount={goods} />
      <Sum name={method.name} amount={method.cost} />
      <Sum name="Total price" amount={sumOf([goods, method.cost])} isTotal />
      {sale?.taxNote && <p className="py-1 text-dim text-sm">{sale.taxNote}</p>}
    </>
  )
}

/** The orders of a checkout, one per line. */
export function CheckoutLines({ checkout, unlinked }: Props) {
  const money = useMoney()
  return (
    <ul>
      {checkout.orders.map((order) => {
        const { _id, image, product, number, quantity, price, totalPrice } = order
        return (
          <li key={_id} className="order-line">
            <div className="thumb">
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
  )
}
