/** Adds parts to the machine: of the catalogue, or by what rules of fit read of them. */

import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { MachinePart } from '#contracts/machine.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { FormProblem } from '#web/components/form-problem.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { Skeleton } from '#web/components/states.tsx'
import { PartByFields } from './part-by-fields.tsx'
import { foundPartsQuery, machineFieldsQuery, useAddPart } from './queries.ts'

/** Finds a part of the catalogue by name or number, and adds it. */
function FromCatalogue({ machine }: { machine: MachinePart[] }) {
  const [typed, setTyped] = useState('')
  const [words, setWords] = useState('')
  const { data: found, error, isFetching } = useQuery(foundPartsQuery(words))
  const add = useAddPart()
  function search(event: FormEvent) {
    event.preventDefault()
    setWords(typed.trim())
  }
  return (
    <>
      <Form onSubmit={search} className="flex flex-wrap items-end gap-x-3">
        <Field
          label="Part name or number"
          className="grow basis-60"
          maxLength={100}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" variant="quiet" loading={isFetching} className="mb-8">
          Find
        </Button>
      </Form>
      <FormProblem said={error?.message ?? add.error?.message} className="empty:pt-0" />
      <div role="status">{found?.length === 0 && <p>Nothing in the catalogue matches.</p>}</div>
      {found && found.length > 0 && (
        <ul>
          {found.map(({ number, name, kind }) => {
            const isIn = machine.some((part) => part.number === number)
            return (
              <li
                key={number}
                className="flex items-center justify-between gap-x-4 border-line border-t py-2"
              >
                <p className="min-w-0 break-words">
                  {name} <span className="text-dim text-sm">{kind}</span>
                </p>
                {isIn ? (
                  <p className="flex min-h-11 shrink-0 items-center text-dim text-sm">
                    In your machine
                  </p>
                ) : (
                  <RowButton
                    busy={add.isPending && add.variables.number === number}
                    aria-label={`Add ${name}`}
                    onClick={() => add.mutate({ number })}
                  >
                    Add
                  </RowButton>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}

function Elsewhere() {
  const [count, setCount] = useState(0)
  const { data: kinds } = useQuery(machineFieldsQuery())
  if (!kinds) return <Skeleton className="h-64" />
  // an empty form for the next part
  return <PartByFields key={count} kinds={kinds} onSaved={() => setCount(count + 1)} />
}

export function AddPart({ machine }: { machine: MachinePart[] }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="mb-3 text-xl font-semibold">
        Add a part
      </h2>
      <FromCatalogue machine={machine} />
      <details
        className="mt-3"
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className="cursor-pointer py-2.5">It’s not in the catalogue</summary>
        <div className="pt-3">{isOpen && <Elsewhere />}</div>
      </details>
    </section>
  )
}
