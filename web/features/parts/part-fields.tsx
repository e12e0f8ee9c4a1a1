import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { partLimits } from '#contracts/admin-parts.ts'
import { Field } from '#web/components/field.tsx'
import { TextArea } from '#web/components/text-area.tsx'
import type { PartFields as Values } from './part-form-schema.ts'
import { partsQuery } from './queries.ts'

type FieldProps = UseFormRegisterReturn & { error?: string }

type Props = {
  field: (name: keyof Values) => FieldProps
  /** The description as it is typed, to be counted. */
  description: string
  /** What is available and the smallest order, as typed: it may be that nobody can book the part. */
  stock: readonly [available: string, minimum: string]
  /** A new part has a first stock, and may do without a kind. */
  isNew: boolean
}

/** The kinds the shop has: typing them alike keeps like with like. */
function Kinds({ id }: { id: string }) {
  const { data = [] } = useQuery(partsQuery)
  const kinds = [...new Set(data.map(({ kind }) => kind))].sort()
  return (
    <datalist id={id}>
      {kinds.map((kind) => (
        <option key={kind} value={kind} />
      ))}
    </datalist>
  )
}

/** A sentence while fewer are available than the smallest order, which is allowed. */
function unbookable([available, minimum]: Props['stock']): string {
  const isTyped = /^\s*\d+\s*$/
  if (!isTyped.test(available) || !isTyped.test(minimum)) return ''
  if (Number(available) >= Number(minimum)) return ''
  return `With ${Number(available)} available and a smallest order of ${Number(minimum)} nobody can book it: the shop shows it as out of stock.`
}

const number = { inputMode: 'numeric', autoComplete: 'off', required: true } as const

/** Everything about a part but its picture. */
export function PartFields({ field, description, stock, isNew }: Props) {
  const kinds = useId()
  return (
    <>
      <div className="grid items-end gap-x-5 gap-y-1 sm:grid-cols-2">
        <Field label="Name" autoComplete="off" required {...field('name')} />
        <Field
          label="Kind"
          hint={isNew ? 'Such as monitor or fan. Without one it is a “computer part”.' : undefined}
          autoComplete="off"
          list={kinds}
          required={!isNew}
          {...field('kind')}
        />
      </div>
      <Kinds id={kinds} />
      <TextArea
        label="Description"
        rows={4}
        required
        typed={description.trim().length}
        limit={partLimits.description}
        {...field('description')}
      />
      <div
        className={`grid items-end gap-x-5 gap-y-1 ${isNew ? 'sm:grid-cols-[1fr_1.2fr_1.45fr]' : 'sm:grid-cols-2'}`}
      >
        <Field label="Price" hint="Whole dollars" {...number} {...field('price')} />
        {isNew && (
          <Field
            label="Available quantity"
            hint="In stock now"
            {...number}
            {...field('availableQuantity')}
          />
        )}
        <Field
          label="Minimum order quantity"
          hint="Smallest order"
          {...number}
          {...field('minimumOrderQuantity')}
        />
      </div>
      <p role="status" className="pb-3 font-medium text-sm empty:pb-0">
        {unbookable(stock)}
      </p>
    </>
  )
}
