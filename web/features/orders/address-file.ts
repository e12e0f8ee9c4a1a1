import { guard } from '#contracts/csv-guard.ts'
import type { ToShipCheckout } from '#contracts/to-ship.ts'

const columns = [
  ...[
    'Reference',
    'Name',
    'Company',
    'Street',
    'Street 2',
    'Postcode',
    'City',
    'Region',
    'Country',
  ],
  ...['E-mail', 'Phone', 'Method'],
]

const cell = (text: string) =>
  /[",;\r\n]/.test(text) ? `"${guard(text).replaceAll('"', '""')}"` : guard(text)

/** The addresses of parcels as CSV, for the label software of a carrier. */
export function addressFile(checkouts: ToShipCheckout[]): string {
  const rows = checkouts.flatMap(({ number, shipTo, email, phone, method }) =>
    shipTo
      ? [
          [
            ...[number, shipTo.name, shipTo.company, shipTo.line1, shipTo.line2, shipTo.postcode],
            ...[shipTo.city, shipTo.region.replace(/^..-/, ''), shipTo.country],
            // a plus would begin a formula
            ...[email, phone.replace(/^\+/, '00'), method ?? ''],
          ],
        ]
      : [],
  )
  const lines = [columns, ...rows].map((cells) => cells.map(cell).join(','))
  return `\ufeff${lines.join('\r\n')}\r\n`
}
