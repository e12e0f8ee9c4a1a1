import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewOrderNote } from '#contracts/desk.ts'
import { api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'

/** What the shop knows of a customer. */
export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: ['customer', id],
    queryFn: async () => (await api.customer[':id'].$get({ param: { id } })).json(),
    staleTime: 0,
  })

/** The mails to the customer about an order and the others of its checkout, newest first. */
export const orderMailsQuery = (id: string) =>
  queryOptions({
    queryKey: ['order-mails', id],
    queryFn: async () => (await api.order[':id'].mails.$get({ param: { id } })).json(),
    staleTime: 0,
  })

/** A mutation that outdates queries, also after a refusal: another tab may have changed them. */
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

/** POST /checkout/{id}/notes */
export const useAddOrderNote = (checkoutId: string) =>
  useChange('changeNotes', async (json: NewOrderNote) => {
    await api.checkout[':id'].notes.$post({ param: { id: checkoutId }, json })
  })

/** POST /customer/{id}/notes */
export const useAddCustomerNote = (userId: string) =>
  useChange('changeNotes', async ({ text }: NewOrderNote) => {
    await api.customer[':id'].notes.$post({ param: { id: userId }, json: { text } })
  })

/** DELETE /note/{id} */
export const useRemoveNote = () =>
  useChange('changeNotes', async (id: string) => {
    await api.note[':id'].$delete({ param: { id } })
  })

/** POST /mail/{id}/again */
export const useSendAgain = () =>
  useChange('sendMailAgain', async (id: string) =>
    (await api.mail[':id'].again.$post({ param: { id } })).json(),
  )

/** POST /customer/{id}/tickets → the ticket. */
export const useWriteToCustomer = (userId: string) =>
  useChange('writeToCustomer', async (text: string) =>
    (await api.customer[':id'].tickets.$post({ param: { id: userId }, json: { text } })).json(),
  )

/** PUT /order/{id}/serials */
export const useNoteSerialNumbers = (orderId: string) =>
  useChange('noteSerialNumbers', async (serialNumbers: string[]) => {
    await api.order[':id'].serials.$put({ param: { id: orderId }, json: { serialNumbers } })
  })
