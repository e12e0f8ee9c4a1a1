import { queryOptions } from '@tanstack/react-query'
import { api } from '#web/lib/api.ts'

/** An invoice or a credit note. It never changes. */
export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: ['invoice', id],
    queryFn: async () => (await api.invoice[':id'].$get({ param: { id } })).json(),
    staleTime: Number.POSITIVE_INFINITY,
  })
