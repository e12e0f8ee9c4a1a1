import { queryOptions } from '@tanstack/react-query'
import { type BasketLine, basketText } from '#contracts/basket.ts'
import { api } from './api.ts'

/** The parts of a basket as they are now. */
export const basketPartsQuery = (lines: BasketLine[]) => {
  const parts = basketText(lines)
  return queryOptions({
    queryKey: ['parts', 'basket', parts],
    queryFn: async () => (await api.basket.$get({ query: { parts } })).json(),
    enabled: lines.length > 0,
    staleTime: 0,
  })
}
