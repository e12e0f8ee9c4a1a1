import type { Id, ToastOptions, ToastPosition } from 'react-toastify/unstyled'
import { withTimeout } from './load-script.ts'

export const loadToastLibrary = withTimeout(() => import('./toast-library.ts'))

export type ToastType = 'info' | 'success' | 'warning' | 'error' | 'default'

/** More would cover the page: the oldest gives way, so that the newest is seen at once. */
const max = 3
const shownIds: Id[] = []

const listeners = new Set<() => void>()
let isWanted = false

/** For the container: called when the first message is shown. */
export function onFirstToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Has any message come yet? */
export function toastsWanted(): boolean {
  return isWanted
}

/** Brings the library early, for pages whose messages must also come when the network is gone. */
export async function prepareToasts(): Promise<void> {
  await loadToastLibrary().catch(() => undefined)
}

/** Shows a passing message. Errors stay until closed; the library is loaded when the first message comes. */
export async function toast(
  type: ToastType,
  message: string,
  options: { position?: ToastPosition } = {},
): Promise<void> {
  const library = await loadToastLibrary().catch(() => null)
  // without a network the library cannot load; the message shows all the same
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
