import { Minus, Plus } from 'lucide-react'

type Props = {
  /** As typed. */
  quantity: string
  least: number
  most: number
  onStep: (quantity: number) => void
}

/** One unit less, one unit more, within what can be booked. */
export function QuantitySteps({ quantity, least, most, onStep }: Props) {
  const typed = /^\d+$/.test(quantity.trim()) ? Number(quantity) : null
  const steps = [
    { name: 'One fewer', Icon: Minus, to: (typed ?? least + 1) - 1 },
    { name: 'One more', Icon: Plus, to: (typed ?? least - 1) + 1 },
  ]
  // from beyond a limit a step leads back to it
  const within = (units: number) => Math.max(least, Math.min(most, units))
  return steps.map(({ name, Icon, to }) => {
    const isOff = within(to) === typed
    return (
      <button
        key={name}
        type="button"
        aria-label={name}
        aria-disabled={isOff || undefined}
        onClick={() => isOff || onStep(within(to))}
        className="icon-button aria-disabled:cursor-not-allowed aria-disabled:opacity-40"
      >
        <Icon aria-hidden="true" className="size-5" />
      </button>
    )
  })
}
