import { linesOf } from '#contracts/address-lines.ts'
import type { Address } from '#contracts/addresses.ts'

/** An address as its country writes it, a line below the other. */
export function AddressLines({ address }: { address: Address }) {
  return (
    <address className="not-italic">
      {linesOf(address).map((line, i) => (
        <span key={i} className="wrap-anywhere block">
          {line}
        </span>
      ))}
    </address>
  )
}
