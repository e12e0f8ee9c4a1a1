import { useShop } from './use-shop.ts'

/** What the shop uses a customer's phone number for. */
export const usePhoneHint = (): string =>
  useShop().sale?.delivers
    ? 'For questions about the delivery'
    : 'We call this number to agree where and when to deliver'
