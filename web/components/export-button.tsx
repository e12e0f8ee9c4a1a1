import { Download } from 'lucide-react'
import { useState } from 'react'
import { dayIn } from '#contracts/shop-days.ts'
import { ApiError } from '#web/lib/api.ts'
import { dataAge } from '#web/lib/data-age.ts'
import { saveFile } from '#web/lib/save-file.ts'
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

/** Downloads the response of `onExport`: by default the filtered list as CSV. */
export function ExportButton({ name, onExport, words = 'Export CSV', type = 'csv' }: Props) {
  const { timeZone } = useShop().facts
  const [busy, setBusy] = useState(false)
  async function exportAll() {
    setBusy(true)
    try {
      const day = dayIn(timeZone, serverTime())
      const answer = await onExport()
      await saveFile(answer, `${name}-${day}.${type}`)
      const age = answer.headers.get('x-data-age')
      if (age !== null)
        void toast('info', `The file was read from the replica, ${dataAge(Number(age))}.`)
    } catch (error) {
      const why = error instanceof ApiError ? error.message : 'Check your connection and try again.'
      void toast('error', `The file couldn’t be downloaded. ${why}`)
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
