import { useEffect, useEffectEvent, useState } from 'react'

/** Milliseconds without a key press that count as the end of typing. */
const rest = 250

/**
 * The input of a list filter: reported when the typing pauses, or at once by `send`.
 * @param value what the list is filtered by now, from the address
 * @param isWhole whether what was typed means something already
 */
export function useDebouncedInput(
  value: string,
  onTyped: (typed: string) => void,
  isWhole: (typed: string) => boolean = () => true,
) {
  const [typed, setTyped] = useState(value)
  const [sent, setSent] = useState(value)
  const [before, setBefore] = useState(value)
  // changed from outside, by Back or by clearing: what was typed gives way
  if (value !== before) {
    setBefore(value)
    if (value !== sent) {
      setTyped(value)
      setSent(value)
    }
  }
  const words = typed.trim()
  function send() {
    if (words === sent || !isWhole(words)) return
    setSent(words)
    onTyped(words)
  }
  const sendRested = useEffectEvent(send)
  useEffect(() => {
    if (words === sent) return
    const timer = setTimeout(() => sendRested(), rest)
    return () => clearTimeout(timer)
  }, [words, sent])
  return { typed, setTyped, send }
}
