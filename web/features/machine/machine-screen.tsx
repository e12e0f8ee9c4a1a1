import '#web/styles/basket.css'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { type BasketLine, buildPath, choicesPath } from '#contracts/basket.ts'
import type { BasketParts } from '#contracts/compare.ts'
import { judge } from '#contracts/fit.ts'
import { type MachinePart, maxMachineParts } from '#contracts/machine.ts'
import { partPath } from '#contracts/part-address.ts'
import { slots } from '#contracts/pc-kinds.ts'
import { ConfirmDialog } from '#web/components/dialogs.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { Judged } from '#web/features/builds/judged.tsx'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { AddPart } from './add-part.tsx'
import { fitPartsIn, type NextPart, nextParts } from './next-parts.ts'
import { PartByFields } from './part-by-fields.tsx'
import { machineFieldsQuery, machineQuery, useChangePart, useRemovePart } from './queries.ts'

export const meta = titled('My machine')

type Kinds = BasketParts['kinds']

const link = 'link inline-flex min-h-11 items-center'

function PartRow({ part }: { part: MachinePart }) {
  const { _id, name, number, quantity, isBought, isByFields } = part
  const [open, setOpen] = useState<'form' | 'question'>()
  const { data: kinds } = useQuery({ ...machineFieldsQuery(), enabled: open === 'form' })
  const change = useChangePart()
  const remove = useRemovePart()
  const step = (by: 1 | -1) => (
    <RowButton
      busy={change.isPending}
      off={quantity + by < 1}
      aria-label={`${by > 0 ? 'One more' : 'One fewer'}: ${name}`}
      onClick={() => change.mutate({ _id, quantity: quantity + by })}
    >
      {by > 0 ? '+' : '−'}
    </RowButton>
  )
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <div className="min-w-0 grow basis-56">
          {number === null ? (
            <p className="flex min-h-11 items-center break-words">{name}</p>
          ) : (
            <Link to={partPath({ number, name })} className={`${link} break-words`}>
              {name}
            </Link>
          )}
          {isBought && <p className="text-dim text-sm">Bought here</p>}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {step(-1)}
          <span className="min-w-8 text-center tabular-nums">
            <span className="sr-only">Quantity </span>
            {quantity}
          </span>
          {step(1)}
          {isByFields && (
            <RowButton
              aria-label={`Edit ${name}`}
              aria-expanded={open === 'form'}
              onClick={() => setOpen(open === 'form' ? undefined : 'form')}
            >
              Edit
            </RowButton>
          )}
          <RowButton
            busy={remove.isPending}
            aria-label={`Remove ${name}`}
            onClick={() => setOpen('question')}
          >
            Remove
          </RowButton>
        </div>
      </div>
      {open === 'form' &&
        (kinds ? (
          <div className="py-4">
            <PartByFields kinds={kinds} part={part} onSaved={() => setOpen(undefined)} />
          </div>
        ) : (
          <Skeleton className="h-64" />
        ))}
      <ConfirmDialog
        open={open === 'question'}
        title={`Remove ${name} from your machine?`}
        confirmText="Remove"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(_id, { onSettled: () => setOpen(undefined) })}
        onCancel={() => setOpen(undefined)}
      >
        {isByFields && 'You’ll lose the details you entered.'}
        {isBought && 'This doesn’t change your order.'}
      </ConfirmDialog>
    </li>
  )
}

type PlaceProps = { name: string; kinds: Kinds; parts: MachinePart[]; lines: BasketLine[] }

/** A place of the PC: the parts in it, and the lists of what fits it. */
function Place({ name, kinds, parts, lines }: PlaceProps) {
  return (
    <section className="build-slot" aria-label={name}>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 className="font-semibold">{name}</h2>
        {lines.length > 0 && (
          <p className="flex flex-wrap gap-x-4">
            {kinds.map((kind) => (
              <Link
                key={kind.slug}
                to={choicesPath(kind.slug, lines)}
                rel="nofollow"
                className={`${link} text-sm`}
              >
                What fits it
                {kinds.length > 1 ? (
                  `: ${kind.name}`
                ) : (
                  <span className="sr-only">: {kind.name}</span>
                )}
              </Link>
            ))}
          </p>
        )}
      </div>
      {parts.length > 0 && (
        <ul>
          {parts.map((part) => (
            <PartRow key={part._id} part={part} />
          ))}
        </ul>
      )}
    </section>
  )
}

type NextProps = { next: NextPart[]; kinds: Kinds; lines: BasketLine[] }

/** What the machine could become next, each with the way to it. */
function Next({ next, kinds, lines }: NextProps) {
  const id = useId()
  if (next.length === 0) return null
  return (
    <section aria-labelledby={id} className="mb-4">
      <h2 id={id} className="mb-2 text-xl font-semibold">
        Upgrade ideas
      </h2>
      <ul className="grid gap-2">
        {next.map(({ text, kind, part }) => (
          <li key={text}>
            <p>{text}.</p>
            <p className="flex flex-wrap gap-x-4 text-sm">
              {part ? (
                <Link to={partPath(part)} className={link}>
                  {part.name}
                </Link>
              ) : (
                lines.length > 0 &&
                kinds
                  .filter((each) => each.kind === kind)
                  .map(({ slug, name }) => (
                    <Link key={slug} to={choicesPath(slug, lines)} rel="nofollow" className={link}>
                      See what fits: {name}
                    </Link>
                  ))
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

type MachineProps = {
  machine: MachinePart[]
  lines: BasketLine[]
  stock: BasketParts['parts']
  kinds: Kinds
}

function Places({ machine, lines, stock, kinds }: MachineProps) {
  const known: Set<string> = new Set(slots.flatMap((slot) => slot.kinds))
  const others = machine.filter(({ fit }) => !fit || !known.has(fit.kind))
  const fitParts = fitPartsIn(machine)
  const isOfCatalogue = machine.every(({ number }) => number !== null)
  // a list that leaves one of the parts out would be wrong
  const listed = isOfCatalogue ? lines : []
  return (
    <div className="grid gap-y-6">
      <div>
        <Judged parts={fitParts} judgement={judge(fitParts)} kinds={kinds} lines={listed} />
        <Next next={nextParts(machine, stock)} kinds={kinds} lines={listed} />
      </div>
      <div>
        {slots.map((slot) => (
          <Place
            key={slot.name}
            name={slot.name}
            kinds={kinds.filter(({ kind }) => slot.kinds.some((each) => each === kind))}
            parts={machine.filter(({ fit }) => slot.kinds.some((each) => each === fit?.kind))}
            lines={listed}
          />
        ))}
        {others.length > 0 && <Place name="And also" kinds={[]} parts={others} lines={listed} />}
      </div>
      {!isOfCatalogue && (
        <p className="text-dim text-sm">
          Lists don’t check parts you entered yourself. Each part’s own page says whether it fits
          everything you have.
        </p>
      )}
    </div>
  )
}

function Machine({ email }: { email: string }) {
  const { data, error, refetch, isFetching } = useQuery(machineQuery(email))
  const leaving = useSignedOutBy(error)
  if (!data) {
    if (error && !leaving)
      return <ErrorState message={error.message} onRetry={refetch} retrying={isFetching} />
    return <Skeleton className="h-96" />
  }
  const { machine } = data
  return (
    <>
      {machine.length > 0 ? (
        <Places {...data} />
      ) : (
        <EmptyState title="No parts yet">
          Parts you buy here appear once they’re shipped. Add what you have from elsewhere, and
          we’ll show you what fits.
        </EmptyState>
      )}
      {machine.length < maxMachineParts ? (
        <AddPart machine={machine} />
      ) : (
        <p className="mt-8 text-dim text-sm">A machine can have up to {maxMachineParts} parts.</p>
      )}
    </>
  )
}

/** The PC that a customer has, whether its parts fit, and what it could become. */
export default function MachineScreen() {
  const { user } = useSession()
  return (
    <>
      <h1 tabIndex={-1} className="mb-2 text-3xl font-bold tracking-tight">
        My machine
      </h1>
      <p className="mb-6 max-w-[68ch] text-dim">
        The parts in your PC. We use them to show you what fits. You’ll find your saved builds under{' '}
        <Link to={`${buildPath([])}#kept`} className="link">
          Build
        </Link>
        .
      </p>
      {user && <Machine key={user.email} email={user.email} />}
    </>
  )
}
