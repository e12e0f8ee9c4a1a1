import { type FormEvent, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { maxCompared, numbersIn } from '#contracts/catalogue.ts'

const key = 'compare'

type Chosen = { kind: string; numbers: number[] }

/**
 * The parts chosen for comparison in this browser, all of one kind. Empty if storage is
 * unavailable.
 */
function readChosen(kind: string): number[] {
  try {
    const selection: Partial<Chosen> = JSON.parse(localStorage.getItem(key) ?? '{}')
    return selection.kind === kind ? (numbersIn((selection.numbers ?? []).join(',')) ?? []) : []
  } catch {
    return []
  }
}

export function keepCompared(chosen: Chosen): void {
  try {
    localStorage.setItem(key, JSON.stringify(chosen))
  } catch {
    // without storage, only the URL holds the comparison
  }
}

/**
 * Links to the comparison of this part with those chosen before, and shows their number. Without
 * scripts it links to the comparison of this part alone, where others can be added.
 */
export function CompareLink({ number, kind }: { number: number; kind: string }) {
  const [chosen, setChosen] = useState<number[]>([])
  useEffect(() => setChosen(readChosen(kind)), [kind])
  const isIn = chosen.includes(number)
  const isFull = !isIn && chosen.length >= maxCompared
  const numbers = isIn || isFull ? chosen : [...chosen, number]
  const others = chosen.filter((each) => each !== number).length
  return (
    <Link
      to={`/compare?parts=${(numbers.length > 0 ? numbers : [number]).join(',')}${isFull ? `&add=${number}` : ''}`}
      rel="nofollow"
      className="button button-quiet"
      onClick={() => !isFull && keepCompared({ kind, numbers })}
    >
      {others > 0 ? `Compare with ${others}` : 'Compare'}
    </Link>
  )
}

const formId = 'compare'

/** The parts chosen in the list of a kind. */
export function useCompared(kind: string | undefined) {
  const [chosen, setChosen] = useState<number[]>([])
  useEffect(() => {
    if (kind === undefined) return
    // checkboxes ticked before the scripts loaded
    const ticked = document.querySelectorAll<HTMLInputElement>(`input[form=${formId}]:checked`)
    const all = new Set([...readChosen(kind), ...Array.from(ticked, ({ value }) => Number(value))])
    // a new empty list would render all cards of the page again
    setChosen((before) => (all.size + before.length > 0 ? [...all].slice(0, maxCompared) : before))
  }, [kind])
  return {
    chosen,
    choose(numbers: number[]) {
      setChosen(numbers)
      if (kind !== undefined) keepCompared({ kind, numbers })
    },
  }
}
export type Compared = ReturnType<typeof useCompared>

type TickProps = { part: { number: number; name: string }; compared: Compared }

/**
 * Chooses a part from a list. Without scripts the form of `CompareBar` submits the ticked boxes.
 */
export function CompareTick({ part: { number, name }, compared: { chosen, choose } }: TickProps) {
  const isIn = chosen.includes(number)
  return (
    <label className="ms-auto inline-flex min-h-8 cursor-pointer items-center gap-2 text-sm has-disabled:text-dim">
      <input
        type="checkbox"
        form={formId}
        name="parts"
        value={number}
        className="size-4.5 cursor-pointer accent-copper"
        checked={isIn}
        disabled={!isIn && chosen.length >= maxCompared}
        onChange={() =>
          choose(isIn ? chosen.filter((each) => each !== number) : [...chosen, number])
        }
      />
      <span>
        Compare<span className="sr-only"> {name}</span>
      </span>
    </label>
  )
}

const textOf = (count: number) => {
  if (count === 0) return `Tick Compare at two to ${maxCompared} parts.`
  if (count === 1) return 'Tick another one to compare with.'
  return count < maxCompared ? '' : `${maxCompared} parts are the most.`
}

/**
 * Links from a list to the comparison. It follows the list, and stays in view once a part is
 * chosen.
 */
export function CompareBar({ compared: { chosen, choose } }: { compared: Compared }) {
  const navigate = useNavigate()
  const isAny = chosen.length > 0
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isAny) navigate(`/compare?parts=${chosen.join(',')}`)
  }
  return (
    <form
      id={formId}
      action="/compare"
      aria-label="Compare"
      onSubmit={submit}
      data-covers-bottom={isAny ? '' : undefined}
      className={`card z-20 mt-8 flex w-fit flex-wrap items-center gap-x-5 gap-y-1 px-5 py-3 ${isAny ? 'sticky bottom-3' : ''}`}
    >
      <button type="submit" className="button button-quiet">
        Compare{isAny && ` (${chosen.length})`}
      </button>
      {isAny && (
        <button type="button" className="link min-h-11 cursor-pointer" onClick={() => choose([])}>
          Clear
        </button>
      )}
      <p role="status" className="text-dim text-sm">
        {textOf(chosen.length)}
      </p>
    </form>
  )
}
