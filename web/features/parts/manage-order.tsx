/** The order of the shop, as its owner changes it in the list of products: one is picked up and put before another. */
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { AdminPart, PartMove } from '#contracts/parts.ts'
import { Button } from '#web/components/button.tsx'
import { toast } from '#web/lib/toast.ts'
import type { ListAddress } from '#web/lib/use-list-address.ts'
import { focusHeading } from '#web/lib/use-page-focus.ts'
import { useMovePart } from './admin-queries.ts'

export const onGraphite =
  'border-on-graphite-copper text-on-graphite-copper hover:border-on-graphite-copper-deep hover:text-on-graphite-copper-deep focus-visible:outline-on-graphite-copper'

const undoMs = 10_000

type UndoProps = { busy: boolean; onUndo: () => void; onExpire: () => void; children: ReactNode }

/** Offers undo for ten seconds. It follows the heading, where the focus goes. */
export function UndoBar({ busy, onUndo, onExpire, children }: UndoProps) {
  const expire = useEffectEvent(onExpire)
  useEffect(() => {
    if (busy) return
    const timer = setTimeout(() => expire(), undoMs)
    return () => clearTimeout(timer)
  }, [busy])
  return (
    // over the page, at the bottom, where a thumb reaches it: the list above does not move
    <div
      data-covers-bottom=""
      className="notice z-55 flex max-w-160 items-center gap-4 overflow-hidden py-3 ps-5 pe-3"
    >
      <p role="status" className="min-w-0 flex-1">
        {children}
      </p>
      <Button variant="quiet" className={onGraphite} loading={busy} onClick={onUndo}>
        Undo
      </Button>
      <span
        aria-hidden="true"
        className="absolute inset-x-0 bottom-0 h-0.75 origin-left animate-[run-out_10s_linear_forwards] bg-on-graphite-copper"
      />
    </div>
  )
}

type Moved = { part: AdminPart; where: string; back: PartMove }

/** Moves a part that was picked up; it stays picked up while it goes step by step. */
export function useMoves() {
  const move = useMovePart()
  const [held, setHeld] = useState<AdminPart | null>(null)
  const [moved, setMoved] = useState<Moved | null>(null)
  const [announcement, setAnnouncement] = useState('')

  function run(part: AdminPart, to: PartMove, done: (back: PartMove) => void) {
    if (move.isPending) return
    move.mutate(
      { id: part._id, to },
      { onSuccess: done, onError: (problem) => void toast('error', problem.message) },
    )
  }
  const end = () => {
    setHeld(null)
    focusHeading()
  }

  return {
    held,
    moved,
    announcement,
    busy: move.isPending,
    pickUp(part: AdminPart) {
      setMoved(null)
      setAnnouncement('')
      setHeld(part)
    },
    cancel: end,
    /** One step: the part stays picked up. */
    step(to: PartMove, where: string) {
      if (held) run(held, to, () => setAnnouncement(`It stands ${where} now.`))
    },
    put(to: PartMove, where: string) {
      if (!held) return
      run(held, to, (back) => {
        setMoved({ part: held, where, back })
        end()
      })
    },
    undo() {
      if (!moved) return
      run(moved.part, moved.back, () => {
        setMoved(null)
        void toast('success', `${moved.part.name} is back in its place`)
      })
    },
    forget: () => setMoved(null),
  }
}
export type Moves = ReturnType<typeof useMoves>

/** Why the place of the part is not what this list seems to say. */
function PlaceNote({ address }: { address: ListAddress }) {
  if (address.read('sort'))
    return (
      <>
        This list is sorted otherwise.{' '}
        <Link
          {...address.link({ sort: '' })}
          className="inline-block min-h-6 text-on-graphite-copper underline"
        >
          Show the order of the shop
        </Link>
      </>
    )
  return address.isFiltered
    ? 'It gets its place among all products, those that this list does not show too.'
    : null
}

type BarProps = { moves: Moves; held: AdminPart; address: ListAddress; parts: AdminPart[] }

/** Says what is picked up, and where it can go at once. The rows of the list say the rest. */
function MoveBar({ moves, held, address, parts }: BarProps) {
  const first = useRef<HTMLElement>(null)
  const cancel = useEffectEvent(moves.cancel)
  useEffect(() => {
    first.current?.querySelector('button')?.focus()
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && cancel()
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const at = address.read('sort') ? -1 : parts.findIndex(({ _id }) => _id === held._id)
  const [above, below] = at < 0 ? [] : [parts[at - 1], parts[at + 1]]
  const button = (text: string, onClick: (() => void) | undefined, label = text) => (
    <Button
      variant="quiet"
      className={`button-small ${onGraphite}`}
      aria-label={label}
      waits={moves.busy || !onClick}
      onClick={onClick}
    >
      {text}
    </Button>
  )
  return (
    <section
      ref={first}
      aria-labelledby="moving"
      data-covers-bottom=""
      className="notice z-55 grid max-w-160 gap-3 px-5 py-3"
    >
      <div>
        <p id="moving" className="wrap-anywhere">
          Where shall <strong className="font-semibold">{held.name}</strong> stand?
        </p>
        <p role="status" className="text-on-graphite-dim text-sm">
          {moves.announcement ||
            'Put it before another product, also on another page or after a search.'}{' '}
          <PlaceNote address={address} />
        </p>
      </div>
      <p className="flex flex-wrap gap-2">
        {button('To the top', () => moves.put({ before: null }, 'first of all'))}
        {at >= 0 && (
          <>
            {button(
              'Up',
              above && (() => moves.step({ before: above._id }, `before ${above.name}`)),
            )}
            {button(
              'Down',
              below && (() => moves.step({ after: below._id }, `after ${below.name}`)),
            )}
          </>
        )}
        {button('To the end', () => moves.put({ after: null }, 'last of all'))}
        {button(moves.announcement ? 'Done' : 'Cancel', moves.cancel)}
      </p>
    </section>
  )
}

type Props = { moves: Moves; address: ListAddress; parts: AdminPart[] }

/** What a move needs above the list: where the part can go, then Undo. */
export function MoveBars({ moves, ...rest }: Props) {
  const { held, moved } = moves
  if (held) return <MoveBar key={held._id} moves={moves} held={held} {...rest} />
  if (!moved) return null
  return (
    <UndoBar
      key={moved.part._id + moved.where}
      busy={moves.busy}
      onUndo={moves.undo}
      onExpire={moves.forget}
    >
      <strong className="wrap-anywhere font-semibold">{moved.part.name}</strong> stands{' '}
      {moved.where} now.
    </UndoBar>
  )
}
