import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { basketText } from '#contracts/basket.ts'
import type { MachineChange, NewMachinePart } from '#contracts/machine.ts'
import { api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { linesIn } from './next-parts.ts'

/** The machine of this user, its parts that are on sale, and the kinds that rules know. */
export const machineQuery = (email: string) =>
  queryOptions({
    queryKey: ['machine', email],
    queryFn: async () => {
      const machine = await (await api.me.machine.$get()).json()
      const lines = linesIn(machine)
      const query = { parts: basketText(lines) }
      const { parts, kinds } = await (await api.basket.$get({ query })).json()
      return { machine, lines, stock: parts, kinds }
    },
    // a parcel may have left meanwhile
    staleTime: 60_000,
  })

/** What rules read of each kind. */
export const machineFieldsQuery = () =>
  queryOptions({
    queryKey: ['kinds', 'machine fields'],
    queryFn: async () => (await api.me.machine.fields.$get()).json(),
  })

/** Parts of the catalogue by words, or one by its number. */
export const foundPartsQuery = (words: string) =>
  queryOptions({
    queryKey: ['parts', 'for a machine', words],
    queryFn: async () => {
      if (/^\d{1,9}$/.test(words)) {
        const { parts } = await (await api.basket.$get({ query: { parts: words } })).json()
        if (parts.length > 0) return parts.map(({ number, name, kind }) => ({ number, name, kind }))
      }
      const { parts } = await (await api.search.$get({ query: { q: words } })).json()
      return parts.map(({ number, name, kind }) => ({ number, name, kind }))
    },
    enabled: words !== '',
  })

function useChange<Input>(mutationFn: (input: Input) => Promise<unknown>, done?: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => done && toast('success', done),
    onSettled: () => outdate(client, 'changeMachine'),
  })
}

export const useAddPart = () =>
  useChange(
    async (part: Omit<NewMachinePart, 'quantity'>) =>
      api.me.machine.$post({ json: { ...part, quantity: 1 } }),
    'Added to your machine',
  )

export const useChangePart = () =>
  useChange(async ({ _id, ...json }: MachineChange & { _id: string }) =>
    api.me.machine[':id'].$put({ param: { id: _id }, json }),
  )

export const useRemovePart = () =>
  useChange(
    async (_id: string) => api.me.machine[':id'].$delete({ param: { id: _id } }),
    'Removed from your machine',
  )
