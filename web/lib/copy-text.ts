import { toast } from './toast.ts'

/** @param said when it is copied */
export async function copyText(text: string, said: string): Promise<void> {
  const copied = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )
  void toast(copied ? 'success' : 'error', copied ? said : `Copy it by hand: ${text}`)
}
