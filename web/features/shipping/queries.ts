import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Address, AddressCorrection, AddressEdit } from '#contracts/addresses.ts'
import type { MethodEdit, MethodFields, ShippingChoice } from '#contracts/shipping.ts'
import { api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'

/** The ways in which the shop delivers, the cheapest first. */
export const methodsQuery = queryOptions({
  queryKey: ['shipping-methods'],
  queryFn: async () => (await api['shipping-methods'].$get({ query: {} })).json(),
  staleTime: 0,
})

/** The regions of a country; none while no country is chosen. */
export const regionsQuery = (country: string) =>
  queryOptions({
    queryKey: ['regions', country],
    queryFn: async () => (await api.regions[':country'].$get({ param: { country } })).json(),
    enabled: country !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The addresses that the user keeps, the default first. */
export const addressesQuery = queryOptions({
  queryKey: ['addresses'],
  queryFn: async () => (await api.addresses.$get()).json(),
  staleTime: 0,
})

/** A mutation that outdates queries, also after a refusal: another tab may have changed them. */
function useChange<Input>(
  change: Parameters<typeof outdate>[1],
  mutationFn: (input: Input) => Promise<void>,
) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => outdate(client, change) })
}

type Choice = { choice: ShippingChoice; isKept: boolean }

/** PUT /checkout/{id}/shipping, and POST /addresses if the address is to be kept. */
export const useChooseShipping = (checkoutId: string) =>
  useChange('chooseShipping', async ({ choice, isKept }: Choice) => {
    const param = { id: checkoutId }
    await api.checkout[':id'].shipping.$put({ param, json: choice })
    if (!isKept || !choice.address) return
    // the order has its address in any case; ten are kept at the most
    await api.addresses
      .$post({ json: { address: choice.address, isDefault: false } })
      .catch(() => undefined)
  })

/** POST /checkout/{id}/address */
export const useAddLateAddress = (checkoutId: string) =>
  useChange('correctAddress', async (address: Address) => {
    await api.checkout[':id'].address.$post({ param: { id: checkoutId }, json: { address } })
  })

/** PUT /checkout/{id}/address */
export const useCorrectAddress = (checkoutId: string) =>
  useChange('correctAddress', async (correction: AddressCorrection) => {
    await api.checkout[':id'].address.$put({ param: { id: checkoutId }, json: correction })
  })

/** POST /addresses, or PUT /addresses/{id}. @param id undefined for a new one */
export const useSaveAddress = (id: string | undefined) =>
  useChange('saveAddress', async (edit: AddressEdit) => {
    if (id) await api.addresses[':id'].$put({ param: { id }, json: edit })
    else await api.addresses.$post({ json: edit })
  })

/** DELETE /addresses/{id} */
export const useDeleteAddress = () =>
  useChange('saveAddress', async (id: string) => {
    await api.addresses[':id'].$delete({ param: { id } })
  })

/** POST /shipping-methods, or PUT /shipping-methods/{id}. */
export const useSaveMethod = (saved: { _id: string; version: number } | undefined) =>
  useChange('saveMethod', async (fields: MethodFields) => {
    if (!saved) {
      await api['shipping-methods'].$post({ json: fields })
      return
    }
    const { _id: id, version } = saved
    const json: MethodEdit = { ...fields, version }
    await api['shipping-methods'][':id'].$put({ param: { id }, json })
  })

/** DELETE /shipping-methods/{id} */
export const useDeleteMethod = () =>
  useChange('saveMethod', async (id: string) => {
    await api['shipping-methods'][':id'].$delete({ param: { id } })
  })
