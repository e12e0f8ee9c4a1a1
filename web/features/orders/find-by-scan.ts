import type { QueryClient } from '@tanstack/react-query'
import { OrderList } from '#contracts/lists.ts'
import { findByCode } from '#web/features/catalogue/admin-queries.ts'
import { adminOrdersQuery } from './admin-queries.ts'

/** What an order's number looks like, as papers print it. */
const orderNumber = /^F-\d{1,9}$/i

/**
 * What a scanned code is about: the order with this number, or the orders of the part with this
 * EAN, manufacturer's number or SKU.
 * @returns the words that find it in the list of orders, and its order's id if there is only one;
 *   null for anything else
 * @throws ApiError
 */
export async function findByScan(
  client: QueryClient,
  code: string,
): Promise<{ q: string; orderId: string | null } | null> {
  const isNumber = orderNumber.test(code)
  const q = isNumber ? code.toUpperCase() : (await findByCode(client, code))?.name
  if (!q) return null
  const { rows } = await client.fetchQuery({
    ...adminOrdersQuery(OrderList.parse({ q })),
    staleTime: 0,
  })
  const found = isNumber ? rows.filter(({ number }) => number === q) : rows
  return { q, orderId: (found.length === 1 && found[0]?._id) || null }
}
