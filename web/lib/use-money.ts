import { type Currency, money } from '#contracts/money.ts'
import { useShop } from './use-shop.ts'

export const useCurrency = (): Currency => useShop().currency

/** Formats an amount in the shop's currency: 12.5 → '$12.50'. */
export function useMoney(): (amount: number) => string {
  const currency = useCurrency()
  return (amount) => money(amount, currency)
}
