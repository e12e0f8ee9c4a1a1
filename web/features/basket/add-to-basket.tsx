import type { MouseEvent } from 'react'
import { Link } from 'react-router'
import { basketPath, maxLines, withLine } from '#contracts/basket.ts'
import { isBookable } from '#contracts/catalogue.ts'
import { fewestUnits } from '#contracts/money.ts'
import type { HomePart } from '#contracts/part-lists.ts'
import { Icon } from '#web/components/icon.tsx'
import { keepBasket, keptBasket, useBasket } from '#web/lib/basket.ts'
import { opensElsewhere } from '#web/lib/opens-elsewhere.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useCurrency } from '#web/lib/use-money.ts'

type AddablePart = Pick<
  HomePart,
  'number' | 'name' | 'price' | 'availableQuantity' | 'minimumOrderQuantity'
>

type AddProps = {
  part: AddablePart
  /** Of the link; a quiet button without it. */
  className?: string
  /** Shows a basket instead of words. */
  isIcon?: boolean
}

/**
 * Adds a bookable part to the basket, and then links there. Without scripts it links to a basket
 * with this part.
 */
export function AddToBasket({ part, className = 'button button-quiet', isIcon = false }: AddProps) {
  const { number, name, price } = part
  const lines = useBasket()
  const quantity = fewestUnits(part, useCurrency())
  if (!isBookable(part)) return null
  const isIn = lines.some((line) => line.number === number)
  function add(event: MouseEvent) {
    if (isIn || opensElsewhere(event)) return
    event.preventDefault()
    // reads the store: the rendered basket is empty until the page has hydrated
    const next = withLine(keptBasket(), { number, quantity, price })
    if (next) keepBasket(next)
    else void toast('warning', `A basket holds up to ${maxLines} parts.`)
  }
  return (
    <Link
      to={isIn ? basketPath(lines) : `/basket?add=${number}x${quantity}`}
      rel="nofollow"
      className={className}
      data-in={isIn || undefined}
      aria-label={isIn ? `${name} is in your basket` : `Add to basket: ${name}`}
      onClick={add}
    >
      {isIcon ? <Icon of="basket" /> : isIn ? 'In your basket' : 'Add to basket'}
    </Link>
  )
}
