import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { PartOnSale } from '#contracts/part-pages.ts'
import { FitMark } from '#web/components/fit-mark.tsx'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { useSession } from '#web/lib/session/session.ts'
import type { InMachine } from './fit-of-machine.ts'

// the rules come when there is a machine to judge
const loadMachine = withTimeout(() => import('./fit-of-machine.ts'))

const link = 'link inline-flex min-h-11 items-center text-sm'

/** Says on a part's page whether it fits the user's machine, or why not. */
export function FitsMachine({ part: { number } }: { part: Pick<PartOnSale, 'number'> }) {
  const email = useSession().user?.email
  const [found, setFound] = useState<InMachine>()
  const [isAdding, setAdding] = useState(false)
  useEffect(() => {
    let isOver = false
    setFound(undefined)
    if (email !== undefined)
      loadMachine()
        .then(({ fitOfMachine }) => fitOfMachine(email, number))
        .then(
          (read) => {
            if (!isOver) setFound(read)
          },
          // offline: 'My machine' says it later
          () => {},
        )
    return () => {
      isOver = true
    }
  }, [email, number])
  const add = async () => {
    setAdding(true)
    try {
      await (await loadMachine()).haveAlready(number)
      setFound({ isIn: true })
    } catch {
      // a toast has said it
    }
    setAdding(false)
  }
  const { isIn, fit } = found ?? {}
  // the place is kept for all who are logged in, so that nothing moves when the verdict comes
  return (
    <div data-for="user" className="flex min-h-22 flex-wrap content-start items-center gap-x-3">
      {isIn && <FitMark level="note" text="In your machine" />}
      {fit && <FitMark {...fit} text={fit.level === 'fits' ? 'Fits your machine' : fit.text} />}
      <span className="flex flex-wrap gap-x-3">
        {(isIn || fit) && (
          <Link to="/dashboard/machine" className={link}>
            See your machine
          </Link>
        )}
        {found && !isIn && (
          <button
            type="button"
            className={`${link} cursor-pointer`}
            aria-busy={isAdding || undefined}
            onClick={() => void (isAdding || add())}
          >
            I already have this
          </button>
        )}
      </span>
    </div>
  )
}
