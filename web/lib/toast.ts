import type { ToastOptions, ToastPosition } from 'react-toastify/unstyled'

export type ToastType = 'info' | 'success' | 'warning' | 'error' | 'default'

/** Shows a passing message. Errors stay until closed; the library is loaded when the first message comes. */
export async function toast(
  type: ToastType,
  message: string,
  options: { position?: ToastPosition } = {},
): Promise<void> {
  const { toast: show } = await import('react-toastify/unstyled')
  const alarm = type === 'error' || type === 'warning'
  const shown: ToastOptions = {
    type,
    role: alarm ? 'alert' : 'status',
    ...(type === 'error' && { autoClose: false }),
    ...options,
  }
  show(message, shown)
}
