/**
 * Moves products within the shop's order: an admin picks one up in the products list, and puts it
 * before another.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { AdminPart, PartMove } from '#contracts/parts.ts'
import { Button } from '#web/components/button.tsx'
import { onGraphite, UndoBar } from '#web/components/undo-bar.tsx'
import type { ListAddress } from '#web/lib/lists/use-list-address.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { focusHeading } from '#web/lib/use-page-focus.ts'
import { useMovePart } from './admin-queries.ts'

type Moved = { part: AdminPart; where: string; back: PartMove }

/** Moves the picked-up part. It stays picked up while it moves in steps. */
export function useMoves() {
  const move = useMovePart()
  const [held, setHeld] = useState<AdminPart | null>(null)
  const [moved, setMoved] = useState<Moved | null>(null)
  const [announcement, setAnnouncement] = useState('')

  function run(part: AdminPart, to: PartMove, onMoved: (back: PartMove) => void) {
    if (move.isPending) return
    move.mutate(
      { id: part._id, to },
      { onSuccess: onMoved, onError: (problem) => void toast('error', problem.message) },
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
    /** Moves by one step: the part stays picked up. */
    step(to: PartMove, where: string) {
      if (held) run(held, to, () => setAnnouncement(`It is now ${where}.`))
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

/** Explains why the shown list is not in the shop's order. */
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
    ? 'It moves among all products, including those that this list does not show.'
    : null
}

type BarProps = { moves: Moves; held: AdminPart; address: ListAddress; parts: AdminPart[] }

/**
 * Shows the picked-up part, and moves it by a step or to an end. The rows of the list offer to put
 * it before them.
 */
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
          Where should <strong className="font-semibold">{held.name}</strong> go?
        </p>
        <p role="status" className="text-on-graphite-dim text-sm">
          {moves.announcement ||
            'Put it before another product, also on another page or after a search.'}{' '}
          <PlaceNote address={address} />
        </p>
      </div>
      <p className="flex flex-wrap gap-2">
        {button('To the top', () => moves.put({ before: null }, 'first'))}
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
        {button('To the end', () => moves.put({ after: null }, 'last'))}
        {button(moves.announcement ? 'Done' : 'Cancel', moves.cancel)}
      </p>
    </section>
  )
}

type Props = { moves: Moves; address: ListAddress; parts: AdminPart[] }

/** Above the list: the possible moves, and Undo after a move. */
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
      <strong className="wrap-anywhere font-semibold">{moved.part.name}</strong> is now{' '}
      {moved.where}.
    </UndoBar>
  )
}
