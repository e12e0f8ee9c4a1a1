import { basketTotal, basketWeight } from '#contracts/basket.ts'
import type { Stock } from '#contracts/catalogue.ts'
import { dayText } from '#contracts/dispatch.ts'
import { cheapestOffer } from '#contracts/shipping-rules.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { useShop } from '#web/lib/use-shop.ts'

type DeliveryOfferProps = {
  lines: {
    part: (Stock & { price: number; weightG: number }) | null | undefined
    quantity: number
  }[]
  className?: string
}

/**
 * What delivery of these lines costs and by when: 'Delivery from $9, by Friday 27 November'. Nothing
 * in a shop that agrees on it by phone.
 */
export function DeliveryOffer({ lines, className = '' }: DeliveryOfferProps) {
  const money = useMoney()
  const { sale } = useShop()
  if (!sale) return null
  const weightG = basketWeight(lines, sale.unknownG)
  const offer = cheapestOffer(sale.offers, basketTotal(lines), weightG)
  if (!offer) return null
  const price = offer.cost === 0 ? 'Free delivery' : `Delivery from ${money(offer.cost)}`
  return (
    <p className={`text-dim text-sm ${className}`}>
      {price}, by {dayText(offer.by)}
    </p>
  )
}
