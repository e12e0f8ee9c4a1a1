import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { counted } from '#contracts/counted.ts'
import type { AdminPart } from '#contracts/parts.ts'
import { countedColumn } from '#contracts/parts-csv.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { FormProblem } from '#web/components/form-problem.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import {
  adminPartQuery,
  findByCode,
  useImportParts,
} from '#web/features/catalogue/admin-queries.ts'
import { storedDraft } from '#web/lib/draft.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { canScan, useBarcodes } from './use-barcodes.ts'

export const meta = titled('Count the stock')

/** One counted part. `before` is what the shop had on the shelf when its count began. */
type Counted = { _id: string; name: string; before: number; units: string }

/** The lines that this tab keeps until they are saved. */
function useCounted(email: string) {
  const [draft] = useState(() => storedDraft('count', email))
  const [lines, setLines] = useState<Counted[]>([])
  useEffect(() => {
    const kept = draft.read()?.lines
    if (kept) setLines(JSON.parse(kept))
  }, [draft])
  return {
    lines,
    change(next: (before: Counted[]) => Counted[]) {
      setLines((before) => {
        const changed = next(before)
        draft.keep({ lines: JSON.stringify(changed) })
        return changed
      })
    },
    clear() {
      draft.clear()
      setLines([])
    },
  }
}

/** One more unit of a part, on its line or on a new one at the top. */
const withUnit = (lines: Counted[], { _id, name, onHand }: AdminPart): Counted[] => {
  const there = lines.find((line) => line._id === _id)
  if (!there) return [{ _id, name, before: onHand, units: '1' }, ...lines]
  const units = String((Number(there.units) || 0) + 1)
  return [{ ...there, units }, ...lines.filter((line) => line !== there)]
}

/** The camera's picture, in which bar codes are read. */
function Camera({ onCode }: { onCode: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const problem = useBarcodes(video, onCode)
  if (problem)
    return (
      <p role="alert" className="mb-4 text-danger text-sm">
        {problem}
      </p>
    )
  return (
    <video ref={video} autoPlay playsInline muted className="mb-4 w-full max-w-md rounded-card" />
  )
}

type LineProps = { line: Counted; onChange: (units: string) => void; onRemove: () => void }

function Line({ line, onChange, onRemove }: LineProps) {
  const { name, before, units } = line
  const difference = Number(units) - before
  return (
    <li className="flex flex-wrap items-center gap-x-5 border-line border-t py-2">
      <div className="min-w-40 flex-1">
        <p className="break-words font-semibold">{name}</p>
        <p className="text-dim text-sm">
          {before} on hand
          {Number.isInteger(difference) && difference !== 0 && (
            <>
              , <span className="text-amber">{difference > 0 ? `+${difference}` : difference}</span>
            </>
          )}
        </p>
      </div>
      <Field
        label="Counted"
        className="w-28"
        inputMode="numeric"
        autoComplete="off"
        aria-label={`Counted: ${name}`}
        value={units}
        onChange={(event) => onChange(event.target.value)}
      />
      <RowButton aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </RowButton>
    </li>
  )
}

const isWhole = ({ units }: Counted) => /^\d{1,7}$/.test(units.trim())

/** Writes the counts as an import: in one transaction, and with the way back of every import. */
function useSave(lines: Counted[], onSaved: () => void) {
  const client = useQueryClient()
  const write = useImportParts(false)
  const [problem, setProblem] = useState<string | null>(null)
  async function save() {
    const wrong = lines.find((line) => !isWhole(line))
    if (wrong) return setProblem(`${wrong.name}: enter a whole number of units.`)
    setProblem(null)
    try {
      const rows: string[] = []
      for (const { _id, before, units } of lines) {
        // what was received or shipped since it was counted stays so
        const { onHand } = await client.fetchQuery(adminPartQuery(_id))
        rows.push(`${_id},${Number(units) + onHand - before}`)
      }
      const file = new Blob([`_id,${countedColumn}\r\n${rows.join('\r\n')}\r\n`])
      const report = await write.mutateAsync({ file, name: 'count' })
      toast('success', `${counted(report.updated, 'count')} changed the stock`)
      onSaved()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return { save, problem, isPending: write.isPending }
}

/** Counts the shelves: each scanned bar code is one more unit of its part. */
function Count({ email }: { email: string }) {
  const client = useQueryClient()
  const { lines, change, clear } = useCounted(email)
  const [code, setCode] = useState('')
  const [said, setSaid] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { save, problem, isPending } = useSave(lines, clear)
  const scan = useEffectEvent(async (scanned: string) => {
    const part = await findByCode(client, scanned).catch((error: Error) => {
      setSaid(error.message)
    })
    if (part) {
      change((before) => withUnit(before, part))
      setSaid(`One more: ${part.name}`)
    } else if (part === null) setSaid(`No product has code ${scanned}`)
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (code.trim() === '') return
    void scan(code.trim())
    setCode('')
  }
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <h1 tabIndex={-1} className="text-4xl font-bold tracking-tight">
          Count the stock
        </h1>
        <ButtonLink to="/dashboard/manageProducts" variant="quiet">
          Manage all products
        </ButtonLink>
      </div>
      <p className="mb-6 max-w-[68ch] text-dim">
        Count everything on the shelf, including units that are held or paid but not shipped yet.
        Each scan adds one unit; or type the number.
      </p>
      {canScan() && (
        <p className="mb-4">
          <Button variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Close the camera' : 'Scan with the camera'}
          </Button>
        </p>
      )}
      {isOpen && <Camera onCode={(scanned) => void scan(scanned)} />}
      <Form onSubmit={submit} className="flex max-w-md items-end gap-3">
        <Field
          label="EAN, SKU or manufacturer’s number"
          className="flex-1"
          hint="A handheld scanner types it and presses Enter"
          autoComplete="off"
          autoCapitalize="off"
          maxLength={100}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button type="submit" variant="quiet" className="mb-7">
          Add
        </Button>
      </Form>
      <p role="status" className="mb-4 min-h-6">
        {said}
      </p>
      <ul aria-label="Counted" className="mb-6">
        {lines.map((line) => (
          <Line
            key={line._id}
            line={line}
            onChange={(units) =>
              change((all) =>
                all.map((each) => (each._id === line._id ? { ...each, units } : each)),
              )
            }
            onRemove={() => change((all) => all.filter((each) => each._id !== line._id))}
          />
        ))}
      </ul>
      {lines.length > 0 && (
        <div className="flex flex-wrap items-center gap-4">
          <Button loading={isPending} onClick={() => void save()}>
            Save {counted(lines.length, 'count')}
          </Button>
          <p className="text-dim text-sm">
            <Link to="/dashboard/manageProducts/import" className="link">
              Import
            </Link>{' '}
            lists this count and can undo it.
          </p>
        </div>
      )}
      <FormProblem said={problem} className="pt-2" />
    </>
  )
}

export default function CountScreen() {
  const { user } = useSession()
  return user && <Count key={user.email} email={user.email} />
}
