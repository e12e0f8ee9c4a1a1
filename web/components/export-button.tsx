import { Download } from 'lucide-react'
import { useState } from 'react'
import { dayIn } from '#contracts/shop-days.ts'
import { ApiError } from '#web/lib/api.ts'
import { dataAge } from '#web/lib/data-age.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useShop } from '#web/lib/use-shop.ts'
import { RowButton } from './row-button.tsx'

type Props = {
  /** The beginning of the file name; the date is appended. */
  name: string
  /** Requests the file. */
  onExport: () => Promise<Response>
  /** The button's text. */
  words?: string
  type?: 'csv' | 'json'
}

/**
 * Saves a response that a plain link could not request, because it needs the access token. It
 * streams from the network into a blob, which browsers keep on disk when it is large, so the page
 * never holds it in memory.
 */
async function save(answer: Response, fileName: string): Promise<void> {
  const url = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // the browser has to open the URL first
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Downloads the response of `onExport`: by default the filtered list as CSV. */
export function ExportButton({ name, onExport, words = 'Export CSV', type = 'csv' }: Props) {
  const { timeZone } = useShop().facts
  const [busy, setBusy] = useState(false)
  async function exportAll() {
    setBusy(true)
    try {
      const day = dayIn(timeZone, serverTime())
      const answer = await onExport()
      await save(answer, `${name}-${day}.${type}`)
      const age = answer.headers.get('x-data-age')
      if (age !== null)
        void toast('info', `The file was read from the replica, ${dataAge(Number(age))}.`)
    } catch (error) {
      const why = error instanceof ApiError ? error.message : 'Check your connection and try again.'
      void toast('error', `The file could not be loaded. ${why}`)
    }
    setBusy(false)
  }
  return (
    <RowButton busy={busy} onClick={exportAll}>
      <Download aria-hidden="true" className="size-4" />
      {busy ? 'Exporting…' : words}
    </RowButton>
  )
}
