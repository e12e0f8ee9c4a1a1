import { holdText, renewalText } from '#contracts/shop.ts'
import { useShop } from '#web/lib/use-shop.ts'
import type { Facts } from './text-page.ts'

/** What the pages of text say of this shop. */
export function useTextFacts(): Facts {
  const { facts, sale, holdMinutes, holdMaxMinutes, expireDays, payments, identity, currency } =
    useShop()
  return {
    shop: facts,
    currency,
    holdTime: holdText(holdMinutes),
    renewal: renewalText(holdMinutes, holdMaxMinutes),
    expireDays,
    delivers: sale?.delivers ?? false,
    sandbox: payments.sandbox,
    google: Boolean(identity.google),
    firebase: Boolean(identity.firebase),
  }
}
