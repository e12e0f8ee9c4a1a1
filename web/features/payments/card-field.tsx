import { CardElement } from '@stripe/react-stripe-js'
import { useId, useRef, useState } from 'react'
import { useCardStyle } from './use-card-style.ts'

/** The provider's card input under our label, in the colours of the theme. `onProblem` hears what is wrong as typed. */
export function CardField({ onProblem }: { onProblem: (message: string | null) => void }) {
  const id = useId()
  const probe = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState(false)
  const style = useCardStyle(probe)
  return (
    <div ref={probe} className="text-ink">
      <label htmlFor={id} className="field-label mb-1.5">
        Card
      </label>
      <span hidden data-colour="dim" className="text-dim" />
      <span hidden data-colour="danger" className="text-danger" />
      <div
        className={`min-h-12 rounded-xl border bg-card px-4 py-3 ${focused ? 'border-copper outline-2 outline-copper' : 'border-edge'}`}
      >
        {style && (
          <CardElement
            id={id}
            options={{ style }}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            onChange={({ error }) => onProblem(error?.message ?? null)}
          />
        )}
      </div>
    </div>
  )
}
