import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useParams } from 'react-router'
import { type DeliveryLine, Receipt, type WholeDelivery } from '#contracts/deliveries.ts'
import { messages } from '#contracts/messages.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { ConfirmDialog } from '#web/components/dialogs.tsx'
import { Form } from '#web/components/form.tsx'
import { ListTable } from '#web/components/list-frame.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { shortMoment, utcDay } from '#web/lib/moments.ts'
import { titled } from '#web/lib/page-meta.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { isUnknown } from '#web/lib/refusals.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { deliveryQuery, useCancelRest, useReceive } from './queries.ts'

export const meta = titled('Delivery')

const listAddress = '/dashboard/deliveries'

const leftOf = ({ quantity, received, canceled }: DeliveryLine) => quantity - received - canceled

type RowProps = {
  line: DeliveryLine
  typed: string
  onType: (text: string) => void
}

function LineRow({ line, typed, onType }: RowProps) {
  const money = useMoney()
  const left = leftOf(line)
  return (
    <tr className="grid-cols-4 [grid-template-areas:'what_what_what_what'_'ordered_received_left_cost'_'now_now_now_now'] wide:*:h-14">
      <td className="[grid-area:what]">
        <Link to={`/dashboard/products/${line.partId}`} className="link font-semibold break-words">
          {line.name}
        </Link>
        {line.sku && <span className="text-dim text-sm"> · {line.sku}</span>}
        {line.canceled > 0 && <p className="text-dim text-sm">{line.canceled} canceled</p>}
      </td>
      <td data-label="Cost" className="figure [grid-area:cost]">
        {line.cost === null ? '—' : money(line.cost)}
      </td>
      <td data-label="Ordered" className="figure [grid-area:ordered]">
        {line.quantity}
      </td>
      <td data-label="Received" className="figure [grid-area:received]">
        {line.received}
      </td>
      <td data-label="To come" className="figure [grid-area:left]">
        {left}
      </td>
      <td
        data-label={left > 0 ? 'Arrived now' : undefined}
        className="[grid-area:now] wide:w-32 wide:ps-4"
      >
        {left > 0 && (
          <input
            className="input list-control figure"
            inputMode="numeric"
            autoComplete="off"
            aria-label={`${line.name}: units that arrived now`}
            placeholder="0"
            value={typed}
            onChange={(event) => onType(event.target.value)}
          />
        )}
      </td>
    </tr>
  )
}

/**
 * Converts the typed quantities to a receipt for the API, or returns a message if they cannot be
 * booked.
 */
function receiptOf(lines: DeliveryLine[], typed: Record<string, string>): Receipt | string {
  const received = lines.flatMap((line) => {
    const text = (typed[line._id] ?? '').trim()
    return text === '' || text === '0' ? [] : [{ line, quantity: Number(text) }]
  })
  const tooMany = received.find(({ line, quantity }) => quantity > leftOf(line))
  if (tooMany)
    return `Only ${leftOf(tooMany.line)} of ${tooMany.line.name} are still to come. If more arrived, correct the product’s stock.`
  const receipt = Receipt.safeParse({
    lines: received.map(({ line, quantity }) => ({
      lineId: line._id,
      quantity,
      received: line.received,
    })),
  })
  return receipt.success ? receipt.data : (receipt.error.issues[0]?.message ?? messages.notFound)
}

/** The units received now, by line. Lines that changed meanwhile have to be typed again. */
function useReceipt({ _id, lines }: WholeDelivery) {
  const receive = useReceive(_id)
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState('')
  function type(changes: Record<string, string>) {
    setTyped((before) => ({ ...before, ...changes }))
    setProblem('')
    receive.reset()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (receive.isPending) return
    const receipt = receiptOf(lines, typed)
    if (typeof receipt === 'string') return setProblem(receipt)
    receive.mutate(receipt, {
      onSuccess: () => {
        setTyped({})
        void toast('success', 'Received: the units are in stock')
      },
    })
  }
  const all = () =>
    type(Object.fromEntries(lines.map((line) => [line._id, String(leftOf(line) || '')])))
  return { receive, typed, type, submit, all, problem: problem || receive.error?.message }
}

function Lines({ delivery }: { delivery: WholeDelivery }) {
  const { receive, typed, type, submit, all, problem } = useReceipt(delivery)
  const cancel = useCancelRest(delivery._id)
  const [asking, setAsking] = useState(false)
  const left = delivery.quantity - delivery.received - delivery.canceled
  return (
    <Form onSubmit={submit} aria-label="What arrived">
      <div className="@container/list">
        <ListTable
          caption="Products in this delivery"
          head={
            <>
              <th scope="col">Part</th>
              {['Cost', 'Ordered', 'Received', 'To come'].map((name) => (
                <th key={name} scope="col" className="figure">
                  {name}
                </th>
              ))}
              <th scope="col" className="wide:ps-4">
                {left > 0 ? 'Arrived now' : <span className="sr-only">Arrived now</span>}
              </th>
            </>
          }
        >
          {delivery.lines.map((line) => (
            <LineRow
              key={line._id}
              line={line}
              typed={typed[line._id] ?? ''}
              onType={(text) => type({ [line._id]: text })}
            />
          ))}
        </ListTable>
      </div>
      <p role="alert" className="pt-4 text-danger empty:pt-0">
        {problem ?? cancel.error?.message}
      </p>
      {left > 0 && (
        <div className="flex flex-wrap gap-3 pt-6">
          <Button type="submit" loading={receive.isPending} loadingText="Saving…">
            Mark as received
          </Button>
          <Button variant="quiet" onClick={all}>
            Everything arrived
          </Button>
          <Button variant="quiet" className="sm:ms-auto" onClick={() => setAsking(true)}>
            Cancel the rest
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        title={`Cancel the ${left} units that haven’t arrived?`}
        confirmText="Cancel the rest"
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate(undefined, { onSettled: () => setAsking(false) })}
        onCancel={() => setAsking(false)}
      >
        Nothing more will be expected from this delivery. What has arrived stays in stock.
      </ConfirmDialog>
    </Form>
  )
}

/** One delivery: its lines, and the units received so far. */
export default function DeliveryScreen() {
  const { id = '' } = useParams()
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(id))
  usePageTitle(delivery && `Delivery of ${delivery.supplier}`)
  const leaving = useSignedOutUnlessAdmin(error)
  if (isUnknown(error)) {
    return (
      <EmptyState
        heading="h1"
        title={messages.notFound}
        action={<ButtonLink to={listAddress}>Goods received</ButtonLink>}
      >
        There is no such delivery.
      </EmptyState>
    )
  }
  if (!delivery) {
    if (error && !leaving) return <ErrorState message={error.message} onRetry={() => refetch()} />
    return (
      <div aria-busy="true">
        <Skeleton className="h-10 w-2/3" />
        <Skeleton className="mt-8 h-80 w-full rounded-card" />
      </div>
    )
  }
  const { supplier, reference, expectedOn, createdAt } = delivery
  return (
    <>
      <p className="label">
        <Link to={listAddress} className="inline-block min-h-6 hover:text-copper hover:underline">
          Goods received
        </Link>
      </p>
      <h1 tabIndex={-1} className="text-4xl font-bold tracking-tight break-words">
        {supplier}
      </h1>
      <p className="mt-2 mb-6 text-dim">
        {reference && `${reference} · `}
        {expectedOn ? `expected on ${utcDay(expectedOn)}` : 'no date yet'} · added{' '}
        <time dateTime={createdAt}>{shortMoment(createdAt)}</time>
      </p>
      <Lines delivery={delivery} />
    </>
  )
}
