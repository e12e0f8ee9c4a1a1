import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { messages } from '#contracts/messages.ts'
import type { OfferAcceptance, QueueJoin, QueuePlace } from '#contracts/queue.ts'
import { api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'
import { isUnverified } from '#web/lib/refusals.ts'

/** Customers ahead move on; a new offer's mail is sent within seconds. */
function pollMs(places: QueuePlace[] = []): number | false {
  if (places.length === 0) return false
  return places.some(({ isOffered, offerEndsAt }) => isOffered && !offerEndsAt) ? 2000 : 30_000
}

/** The user's places, offers first. */
export const placesQuery = queryOptions({
  queryKey: ['queue'],
  queryFn: async () => (await api.queue.$get()).json(),
  staleTime: 0,
  refetchOnWindowFocus: 'always',
  refetchInterval: ({ state }) => pollMs(state.data),
})

/** How many customers wait for a part, and what is expected of it. */
export const lengthQuery = (id: string) =>
  queryOptions({
    queryKey: ['queue', id],
    queryFn: async () => (await api.part[':id'].queue.$get({ param: { id } })).json(),
    staleTime: 0,
  })

/**
 * POST /queue.
 * @param onJoined called once the new place is loaded and the form is gone
 */
export function useJoinQueue(onJoined: () => void) {
  const client = useQueryClient()
  const join = useMutation({
    mutationFn: async (json: QueueJoin) => (await api.queue.$post({ json })).json(),
    // success or failure, the part or the queue differs from what is shown
    onSettled: async (_, error) => {
      await outdate(client, 'joinQueue')
      if (!error) onJoined()
    },
  })
  return { ...join, isUnverified: isUnverified(join.error) }
}

/**
 * DELETE /queue/{id}. An offer passes to the next customer.
 * @param onLeft called once the place is no longer shown
 */
export function useLeaveQueue(onLeft: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ _id }: QueuePlace) => {
      await api.queue[':id'].$delete({ param: { id: _id } })
    },
    onSettled: async (_, error) => {
      await outdate(client, 'leaveQueue')
      if (!error) onLeft()
    },
  })
}

type Acceptance = OfferAcceptance & { place: QueuePlace }

/** POST /queue/{id}/order. Returns the new order's id. */
export function useAcceptOffer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ place, ...json }: Acceptance) => {
      const { _id: id } = place
      const answer = await (await api.queue[':id'].order.$post({ param: { id }, json })).json()
      if (!answer.insertedId) throw new Error(messages.orderFailed)
      return answer.insertedId
    },
    onSuccess: () => outdate(client, 'acceptOffer'),
    onError: () => outdate(client, 'acceptOfferRefused'),
  })
}
