import type { Checkout } from '#contracts/checkouts.ts'
import { dayText } from '#contracts/dispatch.ts'
import { addressLines } from '#contracts/shop.ts'
import { useShop } from '#web/lib/use-shop.ts'
import { AddressLines } from './address-lines.tsx'

/** How a checkout reaches its customer; nothing while neither method nor address is known. */
export function ShippingSummary({ shipping }: Pick<Checkout, 'shipping'>) {
  const { method, type, shipTo, billTo, taxNumber, by } = shipping
  const { facts } = useShop()
  if (!method && !shipTo) return null
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div>
        <p className="font-semibold">{type === 'pick up' ? 'Pick up at' : 'Deliver to'}</p>
        {type === 'pick up' && (
          <address className="not-italic">
            {addressLines(facts).map((line, i) => (
              <span key={i} className="block">
                {line}
              </span>
            ))}
            {facts.openingHours && (
              <span className="block whitespace-pre-line">{facts.openingHours}</span>
            )}
          </address>
        )}
        {shipTo && <AddressLines address={shipTo} />}
        <p className="text-dim text-sm">
          {method ?? 'We write to you about the delivery and its price'}
          {by && `, by ${dayText(by)}`}
        </p>
      </div>
      {(billTo || taxNumber) && (
        <div>
          <p className="font-semibold">Invoice to</p>
          {billTo && <AddressLines address={billTo} />}
          {taxNumber && <p className="text-dim text-sm">Tax number {taxNumber}</p>}
        </div>
      )}
    </div>
  )
}
