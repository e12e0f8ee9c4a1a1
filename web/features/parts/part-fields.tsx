import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { partLimits } from '#contracts/owned-parts.ts'
import { Field } from '#web/components/field.tsx'
import { TextArea } from '#web/components/text-area.tsx'
import type { PartFields as Values } from './part-form-schema.ts'
import { partsQuery } from './queries.ts'

type FieldProps = UseFormRegisterReturn & { error?: string }

type Props = {
  field: (name: keyof Values) => FieldProps
  /** The description as it is typed, to be counted. */
  description: string
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

const number = { inputMode: 'numeric', autoComplete: 'off', required: true } as const

/** Everything about a part but its picture. */
export function PartFields({ field, description, isNew }: Props) {
  const kinds = useId()
  return (
    <>
      <div className="grid items-end gap-x-5 gap-y-1 sm:grid-cols-2">
        <Field label="Name" autoComplete="off" required {...field('name')} />
        <Field
          label="Kind"
          hint={isNew ? 'Optional: such as monitor or fan.' : undefined}
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
    </>
  )
}
