/**
 * Moves the focus when the focused element is removed: to the rest of its row, or else to the
 * page's heading.
 */
import { useLayoutEffect, useRef } from 'react'
import { focusHeading } from './use-page-focus.ts'

function fallbackFor(element: Element | null) {
  const row = element?.closest('tr, li')
  // the same update may remove more elements, so look after it
  return (removed: Element | null) =>
    queueMicrotask(() => {
      const focused = document.activeElement
      if (focused !== document.body && !removed?.contains(focused)) return
      const next = row?.isConnected ? row.querySelector<HTMLElement>('a, button') : null
      if (next) next.focus({ preventScroll: true })
      else focusHeading()
    })
}

/**
 * For an element that may be removed while it has the focus.
 * @returns its ref
 */
export function useFocusFallback<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    const own = ref.current
    const moveFocus = fallbackFor(own)
    return () => {
      if (own?.contains(document.activeElement)) moveFocus(own)
    }
  }, [])
  return ref
}

/**
 * Shows a dialog.
 * @returns closes it; the browser restores the focus if the focused element still exists
 */
export function showModal(dialog: HTMLDialogElement | null): () => void {
  const moveFocus = fallbackFor(document.activeElement)
  dialog?.showModal()
  return () => {
    dialog?.close()
    moveFocus(dialog)
  }
}
