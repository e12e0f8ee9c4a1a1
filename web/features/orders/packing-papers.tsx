import '#web/styles/packing.css'
import { linesOf } from '#contracts/address-lines.ts'
import { addressLines } from '#contracts/shop.ts'
import type { ToShipCheckout } from '#contracts/to-ship.ts'
import { useShop } from '#web/lib/use-shop.ts'
import { BarCode } from './bar-code.tsx'
import { type LabelSheet, labelSheets } from './label-sheets.ts'

type Line = ToShipCheckout['lines'][number]

/** What identifies a part on its shelf and box, each code with its name. */
function Codes({ sku, gtin, mpn }: Pick<Line, 'sku' | 'gtin' | 'mpn'>) {
  const codes = { SKU: sku, EAN: gtin, 'Part no.': mpn }
  return Object.entries(codes).map(
    ([name, code]) =>
      code && (
        <span key={name} className="packing-code">
          {name} {code}
        </span>
      ),
  )
}

/** A box to tick for each unit; of many, one box and their number. */
function Boxes({ units }: { units: number }) {
  const boxes = units > 12 ? 1 : units
  return (
    <span className="packing-boxes">
      {Array.from({ length: boxes }, (_, i) => (
        <span key={i} className="packing-box" />
      ))}
    </span>
  )
}

function Lines({
  lines,
}: {
  lines: Pick<Line, 'product' | 'sku' | 'gtin' | 'mpn' | 'quantity'>[]
}) {
  return (
    <table className="packing-lines">
      <thead>
        <tr>
          <th scope="col">Units</th>
          <th scope="col">Product</th>
          <th scope="col">SKU, EAN, part number</th>
          <th scope="col">Packed</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, i) => (
          <tr key={i}>
            <td>{line.quantity}</td>
            <td>{line.product}</td>
            <td>
              <Codes {...line} />
            </td>
            <td>
              <Boxes units={line.quantity} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Slip({ checkout }: { checkout: ToShipCheckout }) {
  const { facts } = useShop()
  const { number, shipTo, customer, phone, method, lacksDelivery, lines } = checkout
  return (
    <article className="packing-page">
      <p className="packing-sender">{addressLines(facts).join(' · ')}</p>
      <address>
        {(shipTo ? linesOf(shipTo) : [customer, phone]).map((line, i) => (
          <span key={i}>{line}</span>
        ))}
      </address>
      <BarCode text={number} />
      <h2>Packing slip {number}</h2>
      {method && <p>{method}</p>}
      {lacksDelivery && !shipTo && <p>No address: ask the customer where to</p>}
      <Lines lines={lines} />
    </article>
  )
}

/** All parts of these checkouts, each once, in the order of their SKUs. */
function partsOf(checkouts: ToShipCheckout[]): Line[] {
  const lines = checkouts.flatMap((checkout) => checkout.lines)
  const byPart = Map.groupBy(lines, ({ partId }) => partId)
  const placeOf = ([line]: Line[]) => line?.sku || line?.product || ''
  return [...byPart.values()]
    .sort((a, b) => placeOf(a).localeCompare(placeOf(b), 'en'))
    .flatMap(([first, ...more]) =>
      first
        ? [{ ...first, quantity: more.reduce((sum, line) => sum + line.quantity, first.quantity) }]
        : [],
    )
}

function PickList({ checkouts }: { checkouts: ToShipCheckout[] }) {
  return (
    <article className="packing-page">
      <h2>Pick list</h2>
      <p>For {checkouts.map(({ number }) => number).join(', ')}</p>
      <Lines lines={partsOf(checkouts)} />
    </article>
  )
}

/** Prints an address smaller until its label holds all of it. */
function fitLabel(lines: HTMLElement | null): void {
  const label = lines?.parentElement
  if (!label) return
  for (let size = 9.5; size > 3 && lines.offsetHeight > label.clientHeight; size -= 0.5)
    label.style.fontSize = `${size}pt`
}

function Labels({ checkouts, sheet }: { checkouts: ToShipCheckout[]; sheet: LabelSheet }) {
  const { columns, rows, width, height, left, top, gap } = labelSheets[sheet]
  const addressed = checkouts.filter(({ shipTo }) => shipTo)
  const perPage = columns * rows
  const pages = Array.from({ length: Math.ceil(addressed.length / perPage) }, (_, page) =>
    addressed.slice(page * perPage, (page + 1) * perPage),
  )
  return pages.map((page, i) => (
    <div
      key={i}
      className="packing-labels"
      style={{
        gridTemplateColumns: `repeat(${columns}, ${width}mm)`,
        gridAutoRows: `${height}mm`,
        columnGap: `${gap}mm`,
        paddingLeft: `${left}mm`,
        paddingTop: `${top}mm`,
      }}
    >
      {page.map(({ checkoutId, shipTo }) => (
        <address key={checkoutId}>
          <div ref={fitLabel}>
            {shipTo && linesOf(shipTo).map((line, nth) => <span key={nth}>{line}</span>)}
          </div>
        </address>
      ))}
    </div>
  ))
}

export type Paper = 'slips' | 'picks' | 'labels'
type Props = { paper: Paper; checkouts: ToShipCheckout[]; sheet: LabelSheet }

/** What is printed for a selection; on the screen it is hidden. */
export function PackingPapers({ paper, checkouts, sheet }: Props) {
  return (
    <div className="packing-papers">
      {paper === 'slips' &&
        checkouts.map((checkout) => <Slip key={checkout.checkoutId} checkout={checkout} />)}
      {paper === 'picks' && <PickList checkouts={checkouts} />}
      {paper === 'labels' && <Labels checkouts={checkouts} sheet={sheet} />}
    </div>
  )
}
