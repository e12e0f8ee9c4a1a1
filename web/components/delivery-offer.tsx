import { dayText } from '#contracts/dispatch.ts'
import { cheapestOffer } from '#contracts/shipping-rules.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { useShop } from '#web/lib/use-shop.ts'

/**
 * What delivery costs and by when: 'Delivery from $9, by Friday 27 November'. Nothing in a shop
 * that agrees on it by phone.
 * @param goods the total of the goods
 */
export function DeliveryOffer({ goods, className = '' }: { goods: number; className?: string }) {
  const money = useMoney()
  const offer = cheapestOffer(useShop().sale?.offers ?? [], goods)
  if (!offer) return null
  const price = offer.cost === 0 ? 'Free delivery' : `Delivery from ${money(offer.cost)}`
  return (
    <p className={`text-dim text-sm ${className}`}>
      {price}, by {dayText(offer.by)}
    </p>
  )
}
