import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { deliveryLimits, NewDelivery } from '#contracts/deliveries.ts'
import { searchable } from '#contracts/lists.ts'
import { readAmount } from '#contracts/money.ts'
import type { AdminPart } from '#contracts/parts.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { ApiError } from '#web/lib/api.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { useCurrency } from '#web/lib/use-money.ts'
import { partsToChooseQuery, useAddDelivery } from './queries.ts'

export const meta = titled('Add a delivery')

type TypedLine = { partId: string; name: string; quantity: string; cost: string }
const nothing = { supplier: '', reference: '', expectedOn: '' }

/** Parses a typed number; the contract refuses NaN. */
const typedNumber = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

/** The problems by the API's field names, such as `lines.0.quantity`. */
function problemsOf(error: unknown, checked: ReturnType<typeof NewDelivery.safeParse> | null) {
  if (checked && !checked.success) {
    const first: Record<string, string> = {}
    for (const { path, message } of checked.error.issues) first[path.join('.')] ??= message
    return first
  }
  return error instanceof ApiError ? (error.fields ?? {}) : {}
}

function useNewDelivery() {
  const navigate = useNavigate()
  const add = useAddDelivery()
  const [text, setText] = useState(nothing)
  const [lines, setLines] = useState<TypedLine[]>([])
  const [checked, setChecked] = useState<ReturnType<typeof NewDelivery.safeParse> | null>(null)
  function changed() {
    setChecked(null)
    if (add.isError) add.reset()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (add.isPending) return
    const delivery = NewDelivery.safeParse({
      ...text,
      expectedOn: text.expectedOn || null,
      lines: lines.map(({ partId, quantity, cost }) => ({
        partId,
        quantity: typedNumber(quantity),
        cost: cost.trim() === '' ? null : readAmount(cost),
      })),
    })
    setChecked(delivery)
    if (delivery.success)
      add.mutate(delivery.data, { onSuccess: (id) => navigate(`/dashboard/deliveries/${id}`) })
  }
  return {
    add,
    text,
    lines,
    submit,
    problems: problemsOf(add.error, checked),
    setText: (changes: Partial<typeof nothing>) => {
      changed()
      setText((before) => ({ ...before, ...changes }))
    },
    setLines: (change: (before: TypedLine[]) => TypedLine[]) => {
      changed()
      setLines(change)
    },
  }
}

type ChooserProps = { chosen: string[]; onChoose: (part: AdminPart) => void; error?: string }

/** Finds parts by name or number, and adds the chosen one as a line. */
function PartChooser({ chosen, onChoose, error = '' }: ChooserProps) {
  const [typed, setTyped] = useState('')
  const { data: found } = useQuery(partsToChooseQuery(searchable(typed)))
  const offered = typed.trim() ? found?.filter(({ _id }) => !chosen.includes(_id)) : undefined
  return (
    <>
      <Field
        label="Add a part"
        hint="By name, SKU, manufacturer’s number or EAN"
        type="search"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={error}
      />
      <ul className="mb-6 grid gap-1 empty:mb-0" aria-label="Parts found">
        {offered?.map((part) => (
          <li
            key={part._id}
            className="flex min-h-11 items-center justify-between gap-4 border-line border-b"
          >
            <span className="min-w-0 break-words">
              {part.name} <span className="text-dim text-sm">· {part.onHand} on hand</span>
            </span>
            <RowButton
              aria-label={`Add ${part.name}`}
              onClick={() => {
                onChoose(part)
                setTyped('')
              }}
            >
              Add
            </RowButton>
          </li>
        ))}
      </ul>
    </>
  )
}

type LineProps = {
  line: TypedLine
  problem: (name: string) => string
  onChange: (changes: Partial<TypedLine>) => void
  onRemove: () => void
}

function LineFields({ line, problem, onChange, onRemove }: LineProps) {
  const currency = useCurrency()
  return (
    <fieldset className="mb-2 border-line border-t pt-4">
      <legend className="float-left mb-3 w-full font-semibold break-words">{line.name}</legend>
      <div className="clear-both grid items-start gap-x-5 sm:grid-cols-[9rem_9rem_auto]">
        <Field
          label="Quantity"
          inputMode="numeric"
          autoComplete="off"
          required
          value={line.quantity}
          onChange={(event) => onChange({ quantity: event.target.value })}
          error={problem('quantity') || problem('partId')}
        />
        <Field
          label="Cost"
          placeholder={`${currency} per unit`}
          inputMode="decimal"
          autoComplete="off"
          value={line.cost}
          onChange={(event) => onChange({ cost: event.target.value })}
          error={problem('cost')}
        />
        <div className="pb-5 sm:pt-7">
          <RowButton aria-label={`Remove ${line.name}`} onClick={onRemove}>
            Remove
          </RowButton>
        </div>
      </div>
    </fieldset>
  )
}

/** Records a delivery expected from a supplier. */
export default function AddDeliveryScreen() {
  const { add, text, lines, submit, problems, setText, setLines } = useNewDelivery()
  useSignedOutUnlessAdmin(add.error)
  const field = (name: keyof typeof nothing) => ({
    value: text[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => setText({ [name]: event.target.value }),
    error: problems[name] ?? '',
  })
  return (
    <>
      <p className="label">
        <Link
          to="/dashboard/deliveries"
          className="inline-block min-h-6 hover:text-copper hover:underline"
        >
          Goods received
        </Link>
      </p>
      <h1 tabIndex={-1} className="mb-6 text-4xl font-bold tracking-tight">
        Add a delivery
      </h1>
      <div className="card p-5 sm:p-8">
        <Form onSubmit={submit}>
          <div className="grid gap-x-5 sm:grid-cols-3">
            <Field
              label="Supplier"
              required
              maxLength={deliveryLimits.supplier}
              {...field('supplier')}
            />
            <Field label="Reference" maxLength={deliveryLimits.reference} {...field('reference')} />
            <Field label="Expected day" type="date" {...field('expectedOn')} />
          </div>
          {lines.map((line, i) => (
            <LineFields
              key={line.partId}
              line={line}
              problem={(name) => problems[`lines.${i}.${name}`] ?? ''}
              onChange={(changes) =>
                setLines((all) => all.map((one, at) => (at === i ? { ...one, ...changes } : one)))
              }
              onRemove={() => setLines((all) => all.filter((_, at) => at !== i))}
            />
          ))}
          <PartChooser
            chosen={lines.map(({ partId }) => partId)}
            onChoose={({ _id: partId, name, cost }) =>
              setLines((all) => [
                ...all,
                { partId, name, quantity: '', cost: cost > 0 ? String(cost) : '' },
              ])
            }
            error={problems.lines ?? ''}
          />
          <p role="alert" className="pb-4 text-danger empty:pb-0">
            {add.error?.message}
          </p>
          <div className="border-line border-t pt-6">
            <Button type="submit" loading={add.isPending} loadingText="Adding…">
              Add delivery
            </Button>
          </div>
        </Form>
      </div>
    </>
  )
}
