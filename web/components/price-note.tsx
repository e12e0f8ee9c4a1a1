import { useShop } from '#web/lib/use-shop.ts'

/** Which tax prices include, or what comes on top; nothing in a shop without tax. */
export function PriceNote({ className = '' }: { className?: string }) {
  const taxNote = useShop().sale?.taxNote
  return taxNote ? <p className={`text-dim text-sm ${className}`}>Prices {taxNote}</p> : null
}
