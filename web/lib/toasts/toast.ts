import type { Id, ToastOptions, ToastPosition } from 'react-toastify/unstyled'
import { withTimeout } from '#web/lib/loading/load-script.ts'

export const loadToastLibrary = withTimeout(() => import('./toast-library.ts'))

export type ToastType = 'info' | 'success' | 'warning' | 'error' | 'default'

/** More would cover the page: the oldest is removed, so that the newest is visible at once. */
const max = 3
const shownIds: Id[] = []

const listeners = new Set<() => void>()
let isWanted = false

/** For the container: called when the first toast is shown. */
export function onFirstToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether a toast has been shown yet. */
export function toastsWanted(): boolean {
  return isWanted
}

/** Loads the library early, for pages that must show toasts even offline. */
export async function prepareToasts(): Promise<void> {
  await loadToastLibrary().catch(() => undefined)
}

/** Shows a toast. Errors stay until closed; the library is loaded with the first toast. */
export async function toast(
  type: ToastType,
  message: string,
  options: { position?: ToastPosition } = {},
): Promise<void> {
  const library = await loadToastLibrary().catch(() => null)
  // offline the library cannot load; show the message anyway
  if (!library) return window.alert(message)
  isWanted = true
  for (const listener of listeners) listener()
  const settings: ToastOptions = {
    type,
    role: type === 'error' || type === 'warning' ? 'alert' : 'status',
    ...(type === 'error' && { autoClose: false }),
    ...options,
  }
  shownIds.push(library.toast(message, settings))
  for (const old of shownIds.splice(0, shownIds.length - max)) library.toast.dismiss(old)
}

const afterReload = 'toast'

/** Shows a toast once the next page of this tab is loaded. */
export const toastAfterReload = (message: string): void =>
  sessionStorage.setItem(afterReload, message)

/** Shows what was to be said after this page is loaded. */
export function showWaitingToast(): void {
  const message = sessionStorage.getItem(afterReload)
  if (message === null) return
  sessionStorage.removeItem(afterReload)
  void toast('success', message)
}
