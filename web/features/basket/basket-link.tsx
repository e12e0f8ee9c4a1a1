import { useEffect, useState } from 'react'
import { NavLink } from 'react-router'
import { basketPath } from '#contracts/basket.ts'
import { Icon } from '#web/components/icon.tsx'
import { basketAccount, keepBasket, keptBasket, onBasket, useBasket } from '#web/lib/basket.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { useSession } from '#web/lib/session/session.ts'

const loadAccountBasket = withTimeout(() => import('./account-basket.ts'))

/** A user's basket is the account's: it leaves the browser when the user logs out. */
function useAccountBasket(): void {
  const { status, user } = useSession()
  const email = user?.email
  useEffect(() => {
    if (status === 'visitor' && basketAccount()) keepBasket([], null)
    if (email === undefined) return
    let stop = () => {}
    let isOver = false
    loadAccountBasket().then(
      ({ followAccount }) => {
        if (!isOver) stop = followAccount(email)
      },
      () => {},
    )
    return () => {
      isOver = true
      stop()
    }
  }, [status, email])
}

const nameOf = (count: number) => {
  if (count === 0) return 'Basket'
  return `Basket, ${count === 1 ? '1 part' : `${count} parts`}`
}

/**
 * Tells screen readers when a part is added or removed, but not what is there when the page opens.
 * The server renders null, because an empty element would cost every page bytes.
 */
function useCountSaid(): string | null {
  const [said, say] = useState<string | null>(null)
  useEffect(() => {
    say('')
    let before = keptBasket().length
    return onBasket(() => {
      const { length } = keptBasket()
      if (length !== before) say(nameOf(length))
      before = length
    })
  }, [])
  return said
}

/**
 * The link to the basket, with the number of parts. Space for the number is reserved, so that
 * nothing moves when it appears.
 */
export function BasketLink() {
  const lines = useBasket()
  const said = useCountSaid()
  useAccountBasket()
  const count = lines.length
  return (
    <>
      <NavLink to={basketPath(lines)} className="icon-button relative" aria-label={nameOf(count)}>
        <Icon of="basket" />
        {count > 0 && (
          <span aria-hidden="true" className="basket-count">
            {count}
          </span>
        )}
      </NavLink>
      {said !== null && (
        <span role="status" className="sr-only">
          {said}
        </span>
      )}
    </>
  )
}
