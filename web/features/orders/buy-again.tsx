import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { basketPath, maxLines, withLines } from '#contracts/basket.ts'
import type { Order } from '#contracts/orders.ts'
import { ApiError, api } from '#web/lib/api.ts'
import { type KeptLine, keepBasket, keptBasket } from '#web/lib/basket.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { checkoutQuery } from './queries.ts'

/** The line that buys an order's part again, at today's price; null when it is no longer sold. */
async function lineOf({ partId, quantity }: Order): Promise<KeptLine | null> {
  try {
    const part = await (await api.parts[':part'].$get({ param: { part: partId } })).json()
    return part.isOnSale ? { number: part.number, quantity, price: part.price } : null
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/**
 * Adds the parts of a checkout to the basket, as often as they were bought, and leads there. What
 * the basket has already stays as it is; what is no longer sold is named.
 */
function useBuyAgain() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (order: Order) => {
      const { orders } = await client.fetchQuery(checkoutQuery(order))
      const lines = await Promise.all(orders.map(lineOf))
      const gone = orders.filter((_, i) => lines[i] === null).map(({ product }) => product)
      return { lines: lines.filter((line) => line !== null), gone }
    },
    onSuccess: ({ lines, gone }) => {
      if (gone.length > 0) void toast('warning', `No longer sold: ${gone.join(', ')}`)
      if (lines.length === 0) return
      const next = withLines(keptBasket(), lines)
      if (lines.some((line) => !next.some(({ number }) => number === line.number)))
        void toast('warning', `A basket holds ${maxLines} parts.`)
      keepBasket(next)
      void navigate(basketPath(next))
    },
    onError: (problem) => void toast('error', problem.message),
  })
}

/** Buys all of an order's checkout again. @param what is added, for screen readers */
export function BuyAgain({ order, what }: { order: Order; what: string }) {
  const again = useBuyAgain()
  return (
    <button
      type="button"
      className="link min-h-11 cursor-pointer font-normal text-sm"
      aria-label={`Buy again: ${what}`}
      aria-busy={again.isPending || undefined}
      onClick={() => {
        if (!again.isPending) again.mutate(order)
      }}
    >
      Buy again
    </button>
  )
}
