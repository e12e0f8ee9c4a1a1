import { toast } from '#web/lib/toasts/toast.ts'

/** @param successText the toast after copying */
export async function copyText(text: string, successText: string): Promise<void> {
  const copied = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )
  void toast(copied ? 'success' : 'error', copied ? successText : `Copy it manually: ${text}`)
}
