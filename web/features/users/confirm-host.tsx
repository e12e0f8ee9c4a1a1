import { lazy, Suspense, useEffect, useState } from 'react'
import { askForCodesBy } from '#web/lib/identity/confirm.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'

const loadDialog = withTimeout(() => import('./confirm-dialog.tsx'))
const ConfirmCodeDialog = lazy(loadDialog)

type Asked = { answer: (isEntered: boolean) => void }

/**
 * Where calls ask for a one-time code, wherever in the dashboard they are made. Calls that ask at the
 * same time share one dialog.
 */
export function ConfirmHost() {
  const [asked, setAsked] = useState<Asked | null>(null)
  useEffect(() => {
    let open: Promise<boolean> | undefined
    return askForCodesBy(() => {
      open ??= loadDialog()
        .then(() => new Promise<boolean>((answer) => setAsked({ answer })))
        .catch(() => false)
        .finally(() => {
          open = undefined
          setAsked(null)
        })
      return open
    })
  }, [])
  return (
    asked && (
      <Suspense>
        <ConfirmCodeDialog onDone={asked.answer} />
      </Suspense>
    )
  )
}
