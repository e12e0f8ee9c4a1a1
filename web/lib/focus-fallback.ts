/** Where the focus goes when the element that had it is removed: what is left of its row, else the page's heading. */
import { useLayoutEffect, useRef } from 'react'
import { focusHeading } from './use-page-focus.ts'

function fallbackFor(element: Element | null) {
  const row = element?.closest('tr')
  // the same step may remove more, so look when it is over
  return (removed: Element | null) =>
    queueMicrotask(() => {
      const focused = document.activeElement
      if (focused !== document.body && !removed?.contains(focused)) return
      const next = row?.isConnected ? row.querySelector<HTMLElement>('a, button') : null
      if (next) next.focus({ preventScroll: true })
      else focusHeading()
    })
}

/** For an element that may be removed while it has the focus. @returns its ref */
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

/** Shows a dialog. @returns closes it; the browser gives the focus back to what had it, if that is still there */
export function showModal(dialog: HTMLDialogElement | null): () => void {
  const moveFocus = fallbackFor(document.activeElement)
  dialog?.showModal()
  return () => {
    dialog?.close()
    moveFocus(dialog)
  }
}
