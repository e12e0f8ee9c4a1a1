import '#web/styles/shipping.css'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { inOneLine, linesOf } from '#contracts/address-lines.ts'
import { counted } from '#contracts/counted.ts'
import { dayText } from '#contracts/dispatch.ts'
import { searchable } from '#contracts/lists.ts'
import type { ToShipCheckout } from '#contracts/to-ship.ts'
import { Button } from '#web/components/button.tsx'
import { Field, Select, TextArea } from '#web/components/field.tsx'
import { ListTools } from '#web/components/list-tools.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { api } from '#web/lib/api.ts'
import { type ListAddress, useListAddress } from '#web/lib/lists/use-list-address.ts'
import { shortMoment } from '#web/lib/moments.ts'
import { outdate } from '#web/lib/outdated.ts'
import { saveText } from '#web/lib/save-file.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { useScanner } from '#web/lib/use-scanner.ts'
import { addressFile } from './address-file.ts'
import { type LabelSheet, labelSheets } from './label-sheets.ts'
import { PackingPapers, type Paper } from './packing-papers.tsx'
import { readTracking } from './read-tracking.ts'
import { ShippedLately } from './shipped-lately.tsx'

const toShipQuery = (q: string) =>
  queryOptions({
    queryKey: ['to-ship', q],
    queryFn: async () => (await api['to-ship'].$get({ query: q ? { q } : {} })).json(),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

type Failed = { checkout: ToShipCheckout; why: string }

/** Ships the parcels one after the other; the failure of one does not stop the others. */
function useShipping() {
  const client = useQueryClient()
  const [progress, setProgress] = useState<{ done: number; all: number } | null>(null)
  const [outcome, setOutcome] = useState<{ shipped: number; failed: Failed[] } | null>(null)
  async function ship(
    checkouts: ToShipCheckout[],
    {
      carrier,
      numbers,
      printed,
    }: Pick<ReturnType<typeof usePacking>, 'carrier' | 'numbers' | 'printed'>,
  ): Promise<void> {
    const failed: Failed[] = []
    setOutcome(null)
    for (const [done, checkout] of checkouts.entries()) {
      setProgress({ done, all: checkouts.length })
      const { checkoutId: id, lines, shipTo } = checkout
      const trackingNumber = numbers[id]?.trim()
      const json = {
        orderIds: lines.map(({ orderId }) => orderId),
        shipTo: printed.get(id) ?? shipTo,
        ...(carrier.trim() && { carrier }),
        ...(trackingNumber && { trackingNumber }),
      }
      try {
        await api.checkout[':id'].shipped.$put({ param: { id }, json })
      } catch (error) {
        failed.push({ checkout, why: error instanceof Error ? error.message : String(error) })
      }
    }
    setProgress(null)
    setOutcome({ shipped: checkouts.length - failed.length, failed })
    await outdate(client, 'manageOrder')
  }
  return { ship, progress, outcome }
}

type RowProps = {
  opensOrders: boolean
  checkout: ToShipCheckout
  isSelected: boolean
  onSelect: (is: boolean) => void
  trackingNumber: string
  onTracking: (typed: string) => void
  onEnter: (typed: string) => void
}

const trackingId = (checkoutId: string) => `tracking-${checkoutId}`

function Parcel({ opensOrders, checkout, isSelected, ...props }: RowProps) {
  const { onSelect, trackingNumber, onTracking, onEnter } = props
  const { number, customer, phone, paidAt, method, leavesBy, isLate, by, shipTo, lines } = checkout
  const { lacksDelivery } = checkout
  return (
    <li className="grid gap-x-6 gap-y-3 border-line border-t py-5 md:grid-cols-[1fr_1fr_14rem]">
      <div>
        <label className="check font-semibold">
          <input
            type="checkbox"
            checked={isSelected}
            onChange={(event) => onSelect(event.target.checked)}
          />
          {number}
        </label>
        <p className="text-dim text-sm">
          Paid {shortMoment(paidAt)}
          {by && `, arrives by ${dayText(by)}`}
        </p>
        {leavesBy && (
          <p className={isLate ? 'font-semibold text-amber text-sm' : 'text-dim text-sm'}>
            {isLate ? 'Late: it was to leave by ' : 'Leaves by '}
            {dayText(leavesBy)}
          </p>
        )}
        <ul className="mt-2">
          {lines.map(({ orderId, product, quantity, withdrawn, sku }) => (
            <li key={orderId} className="wrap-anywhere">
              {quantity} ×{' '}
              {opensOrders ? (
                <Link to={`/dashboard/order/${orderId}`} className="link">
                  {product}
                </Link>
              ) : (
                product
              )}
              {sku && <span className="text-dim text-sm"> {sku}</span>}
              {withdrawn > 0 && (
                <p className="font-semibold text-amber text-sm">
                  Withdrawn: {withdrawn} of {quantity + withdrawn}. Refund or refuse that first.
                </p>
              )}
            </li>
          ))}
        </ul>
      </div>
      <div className="wrap-anywhere">
        {shipTo ? (
          linesOf(shipTo).map((line, i) => <p key={i}>{line}</p>)
        ) : (
          <>
            <p>{customer}</p>
            <p>{phone}</p>
            {!lacksDelivery && <p className="text-dim text-sm">No address: agree by phone</p>}
          </>
        )}
        {method && <p className="text-dim text-sm">{method}</p>}
        {lacksDelivery && (
          <p className="font-semibold text-amber text-sm">
            {shipTo
              ? 'No delivery was chosen or paid: agree on it first'
              : 'No address, and no delivery was paid: ask the customer where to'}
          </p>
        )}
      </div>
      <Field
        id={trackingId(checkout.checkoutId)}
        label={`Tracking number of ${number}`}
        autoComplete="off"
        value={trackingNumber}
        onChange={(event) => onTracking(event.target.value)}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Enter') return
          // it would submit the search, which gets the focus
          event.preventDefault()
          onEnter(trackingNumber)
        }}
      />
    </li>
  )
}

type PasteProps = { onRead: (numbers: { number: string; trackingNumber: string }[]) => string[] }

/** Tracking numbers of many parcels: pasted, or the file of a carrier. */
function Paste({ onRead }: PasteProps) {
  const [text, setText] = useState('')
  const [said, setSaid] = useState('')
  function read() {
    const { read: numbers, unread } = readTracking(text)
    const unknown = onRead(numbers)
    const missing = [...unread, ...unknown]
    setSaid(
      [
        `${counted(numbers.length - unknown.length, 'number')} read.`,
        ...(missing.length > 0 ? [`Not used: ${missing.slice(0, 5).join('; ')}`] : []),
      ].join(' '),
    )
  }
  return (
    <details className="mt-8">
      <summary className="min-h-11 cursor-pointer font-semibold">
        Paste tracking numbers of many parcels
      </summary>
      <TextArea
        label="Tracking numbers"
        hint="A line for each parcel with its order number, like “F-1042 1Z999AA10123456784”, or the lines of your carrier’s CSV file"
        rows={6}
        typed={text.length}
        limit={40_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="quiet" onClick={read}>
          Read them
        </Button>
        <p role="status" className="wrap-anywhere text-sm">
          {said}
        </p>
      </div>
    </details>
  )
}

/**
 * Which parcels are selected, their carrier and tracking numbers, and the addresses that were
 * printed. Those that a search hides keep theirs.
 */
function usePacking(checkouts: ToShipCheckout[]) {
  const [selectedIds, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [numbers, setNumbers] = useState<Record<string, string>>({})
  const [carrier, setCarrier] = useState('')
  // the list may have a correction of the customer that the paper on the parcel has not
  const [printed, setPrinted] = useState<ReadonlyMap<string, ToShipCheckout['shipTo']>>(new Map())
  const selected = checkouts.filter(({ checkoutId }) => selectedIds.has(checkoutId))
  const isAll = selected.length === checkouts.length && checkouts.length > 0
  return {
    ...{ selected, isAll, numbers, carrier, setCarrier, printed },
    notePrinted: () =>
      setPrinted(
        (all) =>
          new Map([
            ...all,
            ...selected.map(({ checkoutId, shipTo }) => [checkoutId, shipTo] as const),
          ]),
      ),
    select: (id: string, is: boolean) =>
      setSelected((ids) => new Set(is ? [...ids, id] : [...ids].filter((each) => each !== id))),
    selectAll: () =>
      setSelected(new Set(isAll ? [] : checkouts.map(({ checkoutId }) => checkoutId))),
    type: (id: string, typed: string) => setNumbers((all) => ({ ...all, [id]: typed })),
    /** @returns the order numbers that no parcel here has */
    fill(read: { number: string; trackingNumber: string }[]): string[] {
      const unknown: string[] = []
      const filled: Record<string, string> = {}
      for (const { number, trackingNumber } of read) {
        const own = checkouts.find(({ lines }) => lines.some((line) => line.number === number))
        if (own) filled[own.checkoutId] = trackingNumber
        else unknown.push(number)
      }
      setNumbers((all) => ({ ...all, ...filled }))
      setSelected((ids) => new Set([...ids, ...Object.keys(filled)]))
      return unknown
    },
  }
}

/** The parcel that was scanned last; scanning it again makes another. */
type Scanned = { checkoutId: string }

type PackingProps = {
  opensOrders: boolean
  checkouts: ToShipCheckout[]
  total: number
  packing: ReturnType<typeof usePacking>
  shipping: ReturnType<typeof useShipping>
  scanned: Scanned | null
  /** Called with what a scanner typed where a tracking number belongs. */
  onScan: (code: string) => void
  search: RefObject<HTMLInputElement | null>
}

/** Selects the scanned parcel; the scan of its label then goes where the number belongs. */
function useScannedParcel(scanned: Scanned | null, packing: ReturnType<typeof usePacking>): void {
  const { select } = packing
  const selectScanned = useEffectEvent((id: string) => select(id, true))
  useEffect(() => {
    if (!scanned) return
    selectScanned(scanned.checkoutId)
    document.getElementById(trackingId(scanned.checkoutId))?.focus()
  }, [scanned])
}

/** The number of an order at the end of a text: its paper was scanned into a tracking number. */
const slipAtEnd = /F-\d{1,9}$/i

function Packing(props: PackingProps) {
  const {
    opensOrders,
    checkouts,
    total,
    packing,
    shipping: { ship, progress },
    scanned,
    onScan,
    search,
  } = props
  useScannedParcel(scanned, packing)
  /** After the label the next paper is scanned, unless it was the paper already. */
  function takeNext(checkoutId: string, typed: string) {
    const [slip] = slipAtEnd.exec(typed) ?? []
    if (slip) {
      packing.type(checkoutId, typed.slice(0, -slip.length))
      onScan(slip)
    } else {
      search.current?.focus()
      search.current?.select()
    }
  }
  const { selected, isAll, numbers, carrier } = packing
  const [paper, setPaper] = useState<Paper | null>(null)
  const [sheet, setSheet] = useState<LabelSheet>('A4, 2 × 7')
  const isNone = selected.length === 0
  // what has no address gets no label
  const addressed = selected.filter(({ shipTo }) => shipTo).length
  const late = checkouts.filter(({ isLate }) => isLate).length
  function printNow(what: Paper) {
    flushSync(() => setPaper(what))
    print()
    setPaper(null)
    if (what !== 'picks') packing.notePrinted()
  }
  function exportAddresses() {
    packing.notePrinted()
    void saveText(addressFile(selected), 'addresses.csv')
  }
  return (
    <>
      <div className="print:hidden">
        <p className="mb-4 text-dim">
          {counted(total, 'parcel')}, those that were paid first
          {total > checkouts.length && `: here are ${checkouts.length} of them`}
          {late > 0 && `, ${late} late`}
        </p>
        <div className="flex flex-wrap items-end gap-3">
          <RowButton onClick={packing.selectAll}>{isAll ? 'Select none' : 'Select all'}</RowButton>
          <RowButton off={isNone} onClick={() => printNow('slips')}>
            Print packing slips
          </RowButton>
          <RowButton off={isNone} onClick={() => printNow('picks')}>
            Print a pick list
          </RowButton>
          <RowButton off={addressed === 0} onClick={() => printNow('labels')}>
            Print {addressed < selected.length && `${addressed} `}labels
          </RowButton>
          <Select
            label="Sheet of labels"
            value={sheet}
            choices={Object.fromEntries(Object.keys(labelSheets).map((name) => [name, name]))}
            onChange={(name) => setSheet(name as LabelSheet)}
          />
          <RowButton off={isNone} onClick={exportAddresses}>
            Export addresses
          </RowButton>
        </div>
        <Paste onRead={packing.fill} />
        <div className="card mt-6 grid gap-3 px-5 py-3.5">
          <div className="flex flex-wrap items-center gap-x-5">
            <Field
              label="Carrier of the selected (optional)"
              className="me-auto"
              autoComplete="off"
              value={carrier}
              onChange={(event) => packing.setCarrier(event.target.value)}
            />
            <Button
              disabled={isNone}
              loading={progress !== null}
              onClick={() => void ship(selected, packing)}
            >
              Ship {counted(selected.length, 'parcel')}
            </Button>
          </div>
        </div>
        <ul className="mt-6 border-line border-b">
          {checkouts.map((checkout) => (
            <Parcel
              key={checkout.checkoutId}
              opensOrders={opensOrders}
              checkout={checkout}
              isSelected={selected.includes(checkout)}
              onSelect={(is) => packing.select(checkout.checkoutId, is)}
              trackingNumber={numbers[checkout.checkoutId] ?? ''}
              onTracking={(typed) => packing.type(checkout.checkoutId, typed)}
              onEnter={(typed) => takeNext(checkout.checkoutId, typed)}
            />
          ))}
        </ul>
      </div>
      {paper && <PackingPapers paper={paper} checkouts={selected} sheet={sheet} />}
    </>
  )
}

/** What became of the parcels that were shipped last. */
function Outcome({ shipping: { progress, outcome } }: Pick<PackingProps, 'shipping'>) {
  return (
    <div role="status" className="mb-4 wrap-anywhere empty:hidden print:hidden">
      {progress && `Shipping ${progress.done + 1} of ${progress.all}…`}
      {outcome && `${counted(outcome.shipped, 'parcel')} shipped. `}
      {outcome?.failed.map(({ checkout, why }) => (
        <span key={checkout.checkoutId} className="block text-danger">
          {checkout.number}
          {checkout.shipTo && `, ${inOneLine(checkout.shipTo)}`}: {why}
        </span>
      ))}
    </div>
  )
}

/**
 * Finds the parcel of a scanned paper, or those that a scanned part belongs into.
 * @returns the parcel to pack: the only one that was found
 */
function useScannedCode(address: ListAddress) {
  const client = useQueryClient()
  const [scanned, setScanned] = useState<Scanned | null>(null)
  async function scan(code: string): Promise<void> {
    address.change({ q: code }, { replace: true })
    try {
      const { checkouts } = await client.fetchQuery(toShipQuery(searchable(code)))
      const [only, ...more] = checkouts
      setScanned(only && more.length === 0 ? { checkoutId: only.checkoutId } : null)
    } catch {
      // the list says why
    }
  }
  useScanner((code) => void scan(code))
  return { scanned, scan }
}

/**
 * The day's packing: papers, tracking numbers and shipping of many parcels.
 * @param opensOrders whether the user may open orders, which have prices
 */
export function ToShipScreen({ opensOrders }: { opensOrders: boolean }) {
  const address = useListAddress(['q'])
  const q = searchable(address.read('q'))
  const { data, error, refetch, isFetching } = useQuery(toShipQuery(q))
  const leaving = useSignedOutUnlessAdmin(error)
  const shipping = useShipping()
  const packing = usePacking(data?.checkouts ?? [])
  const { scanned, scan } = useScannedCode(address)
  const search = useRef<HTMLInputElement>(null)
  return (
    <section aria-labelledby="to-ship" className="min-h-svh">
      <h1
        id="to-ship"
        tabIndex={-1}
        className="mb-2 text-4xl font-bold tracking-tight print:hidden"
      >
        To ship
      </h1>
      <div className="mb-4 max-w-md print:hidden">
        <ListTools
          address={address}
          search="Scan or type an order’s number, EAN, part number or SKU"
          inputRef={search}
          onEnter={(typed) => void scan(typed)}
        />
      </div>
      <Outcome shipping={shipping} />
      {!data && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="h-dvh" />}
      {data?.total === 0 && q !== '' && (
        <EmptyState
          title="Nothing matches"
          action={<Button onClick={address.clear}>Show all parcels</Button>}
        >
          No parcel that is to be shipped has it.
        </EmptyState>
      )}
      {data?.total === 0 && q === '' && (
        <EmptyState title="Everything is shipped">
          Paid orders are listed here until they leave.
        </EmptyState>
      )}
      {data && data.total > 0 && (
        <Packing
          {...data}
          opensOrders={opensOrders}
          packing={packing}
          shipping={shipping}
          scanned={scanned}
          onScan={(code) => void scan(code)}
          search={search}
        />
      )}
      {data && <ShippedLately />}
    </section>
  )
}
