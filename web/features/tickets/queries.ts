import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ticketKeyHeader } from '#contracts/ticket-rules.ts'
import type { NewTicket, TicketEdit, TicketFilter, TicketList } from '#contracts/tickets.ts'
import { api, callShop } from '#web/lib/api.ts'
import { countQuery, csvDecimals, pageQuery, rowsAsked } from '#web/lib/lists/list-page.ts'
import { outdate } from '#web/lib/outdated.ts'
import { sendFile } from '#web/lib/send-file.ts'

/** The header that opens a thread without a login. */
const keyed = (key: string | undefined) =>
  key ? { headers: { [ticketKeyHeader]: key } } : undefined

/**
 * A ticket with its thread; refetched on each visit and on focus.
 * @param key of the mail's link; undefined with a login
 */
export const ticketQuery = (id: string, key?: string) =>
  queryOptions({
    queryKey: ['ticket', id],
    queryFn: async () => (await api.ticket[':id'].$get({ param: { id } }, keyed(key))).json(),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

/** One page of all tickets; refetched each time an admin opens it. */
export const ticketsQuery = (filter: TicketList) =>
  pageQuery('tickets', filter, (options) =>
    api.allTickets.$get({ query: { ...filter, limit: rowsAsked } }, options),
  )

export const ticketsCountQuery = (filter: TicketFilter) =>
  countQuery('tickets', filter, (options) => api.allTickets.count.$get({ query: filter }, options))

/** Exports all tickets that match the filter as CSV. */
export const ticketsCsv = ({ limit: _, after: __, sort: ___, ...filter }: TicketList) =>
  api['allTickets.csv'].$get({ query: { ...filter, decimals: csvDecimals() } })

/** A mutation that outdates queries, also after a refusal: somebody else may have changed them. */
function useChange<Input, Answer>(
  change: Parameters<typeof outdate>[1],
  mutationFn: (input: Input) => Promise<Answer>,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => {
      void outdate(client, change)
    },
  })
}

/** POST /checkout/{id}/tickets → the ticket. Repeating a key opens one. */
export const useOpenTicket = (checkoutId: string) =>
  useChange('changeTicket', async ({ ticket, key }: { ticket: NewTicket; key: string }) => {
    const args = { param: { id: checkoutId }, json: ticket }
    const headers = { 'Idempotency-Key': key }
    return (await api.checkout[':id'].tickets.$post(args, { headers })).json()
  })

/** POST /ticket/{id}/messages, as its customer. */
export const useWriteMessage = (id: string, key?: string) =>
  useChange('changeTicket', async (text: string) => {
    await api.ticket[':id'].messages.$post({ param: { id }, json: { text } }, keyed(key))
  })

/** PUT /ticket/{id}, as an admin. */
export const useEditTicket = (id: string) =>
  useChange('changeTicket', async (json: TicketEdit) => {
    await api.ticket[':id'].$put({ param: { id }, json })
  })

/** PUT /checkout/{id}/delivered */
export const useNoteArrival = (checkoutId: string) =>
  useChange('noteArrival', async () => {
    await api.checkout[':id'].delivered.$put({ param: { id: checkoutId } })
  })

/** POST /ticket/{id}/pictures */
export const useAddPicture = (id: string) =>
  useChange('changeTicket', (file: Blob) =>
    sendFile({
      path: `/api/ticket/${id}/pictures`,
      ...{ file, onProgress: () => undefined },
      signal: new AbortController().signal,
    }),
  )

/** A picture of a ticket as a data: URL, because an image cannot send the access token. */
export const usePictureOf = (ticketId: string, picture: string) =>
  useQuery({
    queryKey: ['ticket', ticketId, picture],
    queryFn: async () => {
      const answer = await callShop(`/api/ticket/${ticketId}/pictures/${picture}`)
      const file = await answer.blob()
      return new Promise<string>((resolve, reject) => {
        const reader = new FileReader()
        reader.onload = () => resolve(String(reader.result))
        reader.onerror = () => reject(reader.error)
        reader.readAsDataURL(file)
      })
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
