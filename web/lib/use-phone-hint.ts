import { useShop } from './use-shop.ts'

/** What the shop uses a customer's phone number for. */
export const usePhoneHint = (): string =>
  useShop().sale?.delivers
    ? 'For questions about the delivery'
    : 'We’ll call this number to agree when and where to deliver'
