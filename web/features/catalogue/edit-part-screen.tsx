import { zodResolver } from '@hookform/resolvers/zod'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { z } from 'zod'
import { messages } from '#contracts/messages.ts'
import {
  type AdminPart,
  detailsOf,
  StockChange,
  StockCorrection,
  StockCount,
  type StockLine,
} from '#contracts/parts.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { ListTable } from '#web/components/list-frame.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { ApiError } from '#web/lib/api.ts'
import { shortMoment } from '#web/lib/moments.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { isUnknown } from '#web/lib/refusals.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import {
  adminPartQuery,
  kindsQuery,
  ledgerQuery,
  useEditPart,
  useMovePart,
  useRestorePart,
} from './admin-queries.ts'
import { EditPartForm } from './edit-part-form.tsx'
import { typedAs } from './part-form.tsx'

/** How the admin enters a correction: the counted stock, or the difference. */
type Way = 'counted' | 'change'
const rules = { counted: StockCount, change: StockChange }

const { reason } = StockCorrection.shape
const Typed = {
  counted: z.object({ units: typedAs(rules.counted), reason }),
  change: z.object({ units: typedAs(rules.change), reason }),
}
const empty = { units: '', reason: '' }

/** Describes the stock after the correction. */
function outcome({ onHand, reserved }: AdminPart, way: Way, typed: string): string {
  const units = rules[way].safeParse(typed.trim() === '' ? Number.NaN : Number(typed))
  if (!units.success) return `${onHand} on hand now, ${reserved} of them reserved.`
  const then = way === 'counted' ? units.data : onHand + units.data
  if (then < reserved) {
    return `There are ${onHand}, and ${reserved} of them are held, offered or paid: ${onHand - reserved} can go at the most.`
  }
  return `On hand ${onHand} → ${then}, ${reserved} of them reserved: ${then - reserved} available.`
}

function useCorrection(part: AdminPart) {
  const edit = useEditPart(part._id)
  const [way, setWay] = useState<Way>('counted')
  const form = useForm({
    resolver: zodResolver(Typed[way]),
    mode: 'onTouched',
    defaultValues: empty,
  })
  function correct({ units, reason }: { units: number; reason: string }) {
    if (edit.isPending) return
    edit.mutate(
      { ...detailsOf(part), version: part.version, stock: { [way]: units, reason } },
      {
        onSuccess: () => {
          const agrees = way === 'counted' && units === part.onHand
          form.reset(empty)
          void toast('success', agrees ? 'The count agrees with the stock' : 'Stock corrected')
        },
      },
    )
  }
  function change(to: Way) {
    setWay(to)
    form.resetField('units')
    edit.reset()
  }
  return { edit, form, way, change, submit: form.handleSubmit(correct) }
}

const ways = [
  ['counted', 'I counted them'],
  ['change', 'Some came or went'],
] as const

/** The current stock, and a form to correct it by a count or a difference, with a reason. */
function StockCorrectionForm({ part }: { part: AdminPart }) {
  const { edit, form, way, change, submit } = useCorrection(part)
  const { errors } = form.formState
  const refused = edit.error instanceof ApiError ? edit.error.fields : undefined
  const refusedUnits = refused?.[`stock.${way}`]
  const showsBelow = !refusedUnits && !refused?.['stock.reason']
  return (
    <Form
      aria-labelledby="correction"
      onSubmit={submit}
      onChange={() => edit.isError && edit.reset()}
    >
      <h3 id="correction" className="font-semibold">
        Correct the stock
      </h3>
      <p className="mb-4 text-dim text-sm" aria-live="polite">
        {outcome(part, way, form.watch('units'))}
      </p>
      <fieldset className="mb-3 flex flex-wrap gap-x-6 gap-y-1">
        <legend className="sr-only">How do you know?</legend>
        {ways.map(([value, text]) => (
          <label key={value} className="flex min-h-9 cursor-pointer items-center gap-2">
            <input
              type="radio"
              name="way"
              value={value}
              checked={way === value}
              onChange={() => change(value)}
              className="size-5 cursor-pointer accent-copper"
            />
            {text}
          </label>
        ))}
      </fieldset>
      <div className="grid gap-x-5 sm:grid-cols-[10rem_1fr]">
        <Field
          label={way === 'counted' ? 'On the shelf' : 'Change'}
          placeholder={way === 'counted' ? String(part.onHand) : '+5 or -2'}
          inputMode={way === 'counted' ? 'numeric' : undefined}
          autoComplete="off"
          required
          {...form.register('units')}
          error={errors.units?.message ?? refusedUnits}
        />
        <Field
          label="Reason"
          placeholder={way === 'counted' ? 'Stocktake, recount…' : 'Broken, lost, delivery…'}
          autoComplete="off"
          required
          {...form.register('reason')}
          error={errors.reason?.message ?? refused?.['stock.reason']}
        />
      </div>
      <Button type="submit" variant="quiet" loading={edit.isPending}>
        Correct stock
      </Button>
      <p role="alert" className="pt-3 text-danger text-sm empty:pt-0">
        {showsBelow && edit.error?.message}
      </p>
    </Form>
  )
}

const words: Record<StockLine['type'], string> = {
  receive: 'received',
  adjust: 'corrected',
  hold: 'held for an order',
  release: 'hold released',
  sell: 'sold, to be shipped',
  ship: 'shipped',
  restock: 'restocked after a refund',
  'write off': 'refunded, not put back on sale',
  shelve: 'paid, back on the shelf to be shipped',
  offer: 'offered to the queue',
  withdraw: 'offer ended',
}

const signed = (change: number) => (change > 0 ? `+${change}` : `−${-change}`)

/** The change of a ledger line: units on hand, or units reserved; a sale changes neither. */
function changeOf({ onHandDelta, reservedDelta }: StockLine): string {
  if (onHandDelta === 0 && reservedDelta === 0) return '—'
  if (onHandDelta === 0) return `${signed(reservedDelta)} reserved`
  return signed(onHandDelta)
}

function LedgerRow({ line }: { line: StockLine }) {
  return (
    <tr className="grid-cols-[1fr_auto_auto_auto] [grid-template-areas:'what_what_what_what'_'when_when_when_when'_'change_hand_held_available'] wide:*:h-12">
      <td className="figure text-[0.8125rem] text-dim [grid-area:when] wide:w-48 wide:text-start">
        <time dateTime={line.createdAt}>{shortMoment(line.createdAt)}</time>
      </td>
      <td className="[grid-area:what]">
        <span className="font-semibold">{words[line.type]}</span>
        {line.reason && <span className="text-dim"> · {line.reason}</span>}
        {line.delivery && (
          <>
            {' · '}
            <Link to={`/dashboard/deliveries/${line.delivery._id}`} className="link">
              {[line.delivery.supplier, line.delivery.reference].filter(Boolean).join(', ')}
            </Link>
          </>
        )}
        {line.orderId && (
          <>
            {' · '}
            <Link to={`/dashboard/order/${line.orderId}`} className="link">
              order {line.orderNumber}
            </Link>
          </>
        )}
      </td>
      <td data-label="Change" className="figure whitespace-nowrap [grid-area:change]">
        {changeOf(line)}
      </td>
      <td data-label="On hand" className="figure [grid-area:hand]">
        {line.onHand}
      </td>
      <td data-label="Reserved" className="figure [grid-area:held]">
        {line.reserved}
      </td>
      <td data-label="Available" className="figure [grid-area:available]">
        {line.onHand - line.reserved}
      </td>
    </tr>
  )
}

/** Every change of a part's stock, newest first, with the resulting stock. */
function LedgerTable({ partId }: { partId: string }) {
  const ledger = useInfiniteQuery(ledgerQuery(partId))
  if (!ledger.data) {
    return ledger.error ? (
      <ErrorState message={ledger.error.message} onRetry={() => ledger.refetch()} />
    ) : (
      <Skeleton className="h-40" />
    )
  }
  const lines = ledger.data.pages.flatMap((page) => page.lines)
  if (lines.length === 0) return <p className="text-dim">No stock has come or gone yet.</p>
  return (
    <div className="@container/list">
      <ListTable
        caption="Stock ledger, newest first"
        head={
          <>
            <th scope="col">When</th>
            <th scope="col">What</th>
            {['Change', 'On hand', 'Reserved', 'Available'].map((name) => (
              <th key={name} scope="col" className="figure">
                {name}
              </th>
            ))}
          </>
        }
      >
        {lines.map((line) => (
          <LedgerRow key={line._id} line={line} />
        ))}
      </ListTable>
      {ledger.hasNextPage && (
        <Button
          variant="quiet"
          className="mt-5"
          loading={ledger.isFetchingNextPage}
          onClick={() => ledger.fetchNextPage()}
        >
          Older lines
        </Button>
      )}
    </div>
  )
}

const listAddress = '/dashboard/manageProducts'

function Deleted({ part }: { part: AdminPart }) {
  const restore = useRestorePart()
  return (
    <div className="card flex flex-wrap items-center justify-between gap-4 p-5 sm:p-8">
      <p>
        Deleted {part.deletedAt && shortMoment(part.deletedAt)}. It cannot be booked; its orders
        stay as they are.
      </p>
      <Button
        loading={restore.isPending}
        onClick={() =>
          restore.mutate(part, {
            onSuccess: () =>
              toast(
                'success',
                `${part.name} is ${part.state === 'draft' ? 'a draft' : 'on sale'} again`,
              ),
            onError: (problem) => toast('error', problem.message),
          })
        }
      >
        Restore
      </Button>
    </div>
  )
}

/** How many customers wait for the part, and for how many units. */
const waitingText = ({ waiting, waitingUnits }: AdminPart) =>
  `${waiting === 1 ? 'One customer waits' : `${waiting} customers wait`} for ${waitingUnits === 1 ? 'one unit' : `${waitingUnits} units`}. What comes is offered to them first.`

/** Moves the part to the top: home and the lists show it first. */
function Place({ part }: { part: AdminPart }) {
  const move = useMovePart()
  return (
    <p className="mt-4 flex flex-wrap items-center gap-4">
      <Button
        variant="quiet"
        loading={move.isPending}
        onClick={() => move.mutate({ id: part._id, to: { before: null } })}
      >
        Move to the top of the shop
      </Button>
      <span role="status" className="text-dim text-sm">
        {move.isSuccess && 'It is the first product of the shop now.'}
        {move.error?.message}
      </span>
    </p>
  )
}

function Stock({ part }: { part: AdminPart }) {
  const figures = [
    ['On hand', part.onHand],
    ['Held', part.reserved - part.toShip],
    ['To ship', part.toShip],
    ['Available', part.availableQuantity],
  ] as const
  return (
    <section aria-labelledby="stock" className="mt-10">
      <h2 id="stock" className="mb-4 text-2xl font-semibold tracking-tight">
        Stock
      </h2>
      <div className="card grid gap-x-12 gap-y-6 p-5 sm:p-8 lg:grid-cols-[auto_minmax(0,1fr)]">
        <dl className="flex flex-wrap gap-x-6 gap-y-3 sm:gap-x-10 lg:grid lg:min-w-28 lg:content-start lg:gap-4 lg:border-line lg:border-e lg:pe-12">
          {figures.map(([name, value]) => (
            <div key={name}>
              <dt className="label whitespace-nowrap">{name}</dt>
              <dd className="font-bold font-display text-3xl/[1.2] tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        {!part.deletedAt && <StockCorrectionForm part={part} />}
      </div>
      {part.toShip > 0 && (
        <p className="mt-4 text-dim">
          What is to ship is paid and still lies on the shelf: count it too.
        </p>
      )}
      {part.waiting > 0 && <p className="mt-4 text-dim">{waitingText(part)}</p>}
      <h3 className="mt-8 mb-3 text-xl font-semibold tracking-tight">Stock ledger</h3>
      <LedgerTable partId={part._id} />
    </section>
  )
}

type Props = {
  id: string
  /** E-mail of the admin. */
  owner: string
  /** Shown below the stock: the customers with holds, and the audit log. */
  more: ReactNode
}

/** One part for admins: its fields, its stock and its audit log. */
export function EditPartScreen({ id, owner, more }: Props) {
  const { data: part, error: unread, refetch } = useQuery(adminPartQuery(id))
  const kinds = useQuery(kindsQuery)
  const error = unread ?? kinds.error
  usePageTitle(part && `Change ${part.name}`)
  const leaving = useSignedOutUnlessAdmin(error)
  if (isUnknown(error)) {
    return (
      <EmptyState
        heading="h1"
        title={messages.notFound}
        action={<ButtonLink to={listAddress}>Manage all products</ButtonLink>}
      >
        There is no such product.
      </EmptyState>
    )
  }
  if (!(part && kinds.data) && error && !leaving) {
    const retry = () => Promise.all([refetch(), kinds.refetch()])
    return <ErrorState message={error.message} onRetry={retry} />
  }
  if (!part || !kinds.data) {
    return (
      <div aria-busy="true">
        <Skeleton className="h-10 w-2/3" />
        <Skeleton className="mt-8 h-[36rem] w-full rounded-card" />
      </div>
    )
  }
  return (
    <>
      <p className="label">
        <Link to={listAddress} className="inline-block min-h-6 hover:text-copper hover:underline">
          Manage all products
        </Link>
      </p>
      <h1 tabIndex={-1} className="mb-6 text-4xl font-bold tracking-tight break-words">
        {part.name}
      </h1>
      {part.deletedAt ? (
        <Deleted part={part} />
      ) : (
        <div className="card p-5 sm:p-8">
          <EditPartForm key={part._id} part={part} owner={owner} kinds={kinds.data} />
        </div>
      )}
      {!part.deletedAt && <Place part={part} />}
      <Stock part={part} />
      {more}
    </>
  )
}
