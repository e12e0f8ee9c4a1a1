import { useEffect, useEffectEvent, useRef, useState } from 'react'

export type WrongField = { label: string; element: HTMLElement }

function labelOf(element: HTMLInputElement): string {
  // a radio's label names one choice, the legend names what is chosen
  const named =
    element.type === 'radio'
      ? element.closest('fieldset')?.querySelector('legend')
      : element.labels?.[0]
  return named?.textContent ?? ''
}

/** The fields that are marked as wrong, in the order of the form; a group of radios counts once. */
function wrongFields(form: HTMLFormElement): WrongField[] {
  const marked = form.querySelectorAll<HTMLInputElement>('[aria-invalid="true"]')
  const byLabel = new Map<string, HTMLElement>()
  for (const element of marked) {
    const label = labelOf(element)
    if (label && !byLabel.has(label)) byLabel.set(label, element)
  }
  return [...byLabel].map(([label, element]) => ({ label, element }))
}

const isRefused = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll('[role="alert"]')].some((alert) => alert.textContent !== '')

const labelsOf = (fields: WrongField[]) => fields.map(({ label }) => label).join()

/**
 * What a form says is wrong, read from the form as it stands: whichever way a field came to its error, it is the same
 * that people see. `refused`: something under the fields says that it was sent in vain.
 * @param onRight called when no field is wrong any more
 */
export function useFormErrors(onRight: () => void) {
  const ref = useRef<HTMLFormElement>(null)
  const [wrong, setWrong] = useState<WrongField[]>([])
  const [refused, setRefused] = useState(false)
  const heardRight = useEffectEvent(onRight)
  const isWrong = useRef(false)
  useEffect(() => {
    const form = ref.current
    if (!form) return
    const look = () => {
      const now = wrongFields(form)
      setWrong((before) => (labelsOf(before) === labelsOf(now) ? before : now))
      setRefused(isRefused(form))
      if (isWrong.current && now.length === 0) heardRight()
      isWrong.current = now.length > 0
    }
    const watch = new MutationObserver(look)
    watch.observe(form, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['aria-invalid'],
    })
    return () => watch.disconnect()
  }, [])
  return { ref, wrong, refused }
}
