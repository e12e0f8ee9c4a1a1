import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { mostCompared, numbersIn } from '#contracts/catalogue.ts'

const key = 'compare'

type Chosen = { kind: string; numbers: number[] }

/** What this browser compares, of one kind at a time; nothing where it may not keep anything. */
function readChosen(kind: string): number[] {
  try {
    const kept: Partial<Chosen> = JSON.parse(localStorage.getItem(key) ?? '{}')
    return kept.kind === kind ? (numbersIn((kept.numbers ?? []).join(',')) ?? []) : []
  } catch {
    return []
  }
}

export function keepCompared(chosen: Chosen): void {
  try {
    localStorage.setItem(key, JSON.stringify(chosen))
  } catch {
    // a browser that keeps nothing compares by the address alone
  }
}

/**
 * Leads to the comparison with what was chosen before, and says how many there are. Without scripts it compares this part
 * alone, whose page leads on.
 */
export function CompareLink({ number, kind }: { number: number; kind: string }) {
  const [chosen, setChosen] = useState<number[]>([])
  useEffect(() => setChosen(readChosen(kind)), [kind])
  const isIn = chosen.includes(number)
  const isFull = !isIn && chosen.length >= mostCompared
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
