import { CardElement } from '@stripe/react-stripe-js'
import type { StripeCardElementOptions } from '@stripe/stripe-js'
import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'

type CardStyle = NonNullable<StripeCardElementOptions['style']>

const colourOf = (element: Element | null | undefined) =>
  element ? getComputedStyle(element).color : undefined

/** Card inputs live in a frame that our style sheet can not reach, so the colours in force are read from the page. */
function readStyle(probe: HTMLElement): CardStyle {
  const ink = colourOf(probe)
  const dim = colourOf(probe.querySelector('[data-colour=dim]'))
  const danger = colourOf(probe.querySelector('[data-colour=danger]'))
  const { fontFamily } = getComputedStyle(probe)
  return {
    base: {
      ...(ink && { color: ink, iconColor: ink }),
      fontFamily,
      fontSize: '16px',
      '::placeholder': { ...(dim && { color: dim }) },
    },
    invalid: { ...(danger && { color: danger, iconColor: danger }) },
  }
}

/**
 * The card input's style for the theme in force, again after each change of theme.
 * @param probe an element in the page's text colour with `data-colour` children for `dim` and `danger`
 */
function useCardStyle(probe: RefObject<HTMLElement | null>): CardStyle | undefined {
  const [style, setStyle] = useState<CardStyle>()
  // before the first paint: the frame comes with its height, so nothing below it moves
  useLayoutEffect(() => {
    const read = () => probe.current && setStyle(readStyle(probe.current))
    read()
    const themeSwitch = new MutationObserver(read)
    themeSwitch.observe(document.documentElement, { attributes: true })
    const systemTheme = matchMedia('(prefers-color-scheme: dark)')
    systemTheme.addEventListener('change', read)
    return () => {
      themeSwitch.disconnect()
      systemTheme.removeEventListener('change', read)
    }
  }, [probe])
  return style
}

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
