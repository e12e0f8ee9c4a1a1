import { useEffect, useEffectEvent } from 'react'

/** A scanner's keys follow each other within this many milliseconds; nobody types so fast. */
const pauseMs = 50
/** Shorter than any code on a box or a paper. */
const fewest = 4

const takesText = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio], [type=button]), textarea, select'))

/**
 * Hears a bar code scanner, which types a code and then Enter, while no field has the focus. The
 * code reaches no button: Enter would press it.
 */
export function useScanner(onScan: (code: string) => void): void {
  const tell = useEffectEvent(onScan)
  useEffect(() => {
    let code = ''
    let last = 0
    const listen = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event
      if (takesText(target) || ctrlKey || metaKey || altKey || key === 'Shift') return
      const now = Date.now()
      if (now - last > pauseMs) code = ''
      last = now
      if (key === 'Enter' && code.length >= fewest) {
        event.preventDefault()
        tell(code)
        code = ''
      } else if (key.length === 1) {
        // a space inside a code
        if (code !== '') event.preventDefault()
        code += key
      }
    }
    addEventListener('keydown', listen, { capture: true })
    return () => removeEventListener('keydown', listen, { capture: true })
  }, [])
}
