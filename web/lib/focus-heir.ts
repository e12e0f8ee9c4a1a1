/** Who gets the focus when what had it goes: what is left of its row, else the heading of the page. */
import { useLayoutEffect, useRef } from 'react'

function heirOf(element: Element | null) {
  const row = element?.closest('tr')
  // what else goes in the same step is known only after it
  return (gone: Element | null) =>
    queueMicrotask(() => {
      const focused = document.activeElement
      if (focused !== document.body && !gone?.contains(focused)) return
      const next = row?.isConnected ? row.querySelector<HTMLElement>('a, button') : null
      const heir = next ?? document.querySelector<HTMLElement>('main h1')
      heir?.focus({ preventScroll: true })
    })
}

/** For an element that can go with the focus in it. @returns its ref */
export function useFocusHeir<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    const own = ref.current
    const passOn = heirOf(own)
    return () => {
      if (own?.contains(document.activeElement)) passOn(own)
    }
  }, [])
  return ref
}

/** Shows a dialog. @returns closes it; the browser gives the focus back to what had it, if that is still there */
export function showModal(dialog: HTMLDialogElement | null): () => void {
  const passOn = heirOf(document.activeElement)
  dialog?.showModal()
  return () => {
    dialog?.close()
    passOn(dialog)
  }
}
