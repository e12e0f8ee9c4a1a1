import type { Checkout } from '#contracts/checkouts.ts'
import { dayText } from '#contracts/dispatch.ts'
import { AddressLines } from './address-lines.tsx'

/** How a checkout reaches its customer; nothing while that was not chosen. */
export function ShippingSummary({ shipping }: Pick<Checkout, 'shipping'>) {
  const { method, type, shipTo, billTo, taxNumber, by } = shipping
  if (!method) return null
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div>
        <p className="font-semibold">{type === 'ship' ? 'Delivered to' : 'Picked up'}</p>
        {shipTo && <AddressLines address={shipTo} />}
        <p className="text-dim text-sm">
          {method}
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
