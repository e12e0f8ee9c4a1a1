import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { type BasketLine, basketText } from '#contracts/basket.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { useSession } from '#web/lib/session/session.ts'

const loadMachine = withTimeout(() => import('./fit-of-machine.ts'))

/**
 * The same list with only what fits the user's machine, if it has parts of the catalogue and rules
 * know the kind. It stands beside something of its height, so that nothing moves when it comes.
 */
export function MachineLink({ kind }: { kind: string }) {
  const email = useSession().user?.email
  const { search } = useLocation()
  const [lines, setLines] = useState<BasketLine[]>([])
  useEffect(() => {
    let isOver = false
    setLines([])
    if (email !== undefined)
      loadMachine()
        .then(({ machineLines }) => machineLines(email, kind))
        .then(
          (read) => {
            if (!isOver) setLines(read)
          },
          // offline: the list is there without it
          () => {},
        )
    return () => {
      isOver = true
    }
  }, [email, kind])
  const params = new URLSearchParams(search)
  if (lines.length === 0 || params.has('fits')) return null
  params.delete('after')
  params.set('fits', basketText(lines))
  params.set('only', 'fits')
  return (
    <Link to={`?${params}`} rel="nofollow" className="link inline-block min-h-6">
      Only what fits my machine
    </Link>
  )
}
