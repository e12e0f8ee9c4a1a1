import { usePrefetchQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ExportButton } from '#web/components/export-button.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { ApiError, callShop } from '#web/lib/api.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { accountRow } from './login-section.tsx'
import { meQuery } from './queries.ts'

/** A copy of all that the shop knows about the user, and its end. */
export function DataSection({ email }: { email: string }) {
  const [leaving, setLeaving] = useState(false)
  const [refusal, setRefusal] = useState<ApiError | null>(null)
  useSignedOutBy(refusal)
  // so that the dialog knows what to ask for when it opens
  usePrefetchQuery(meQuery(email))
  const myData = () =>
    callShop('/api/me/data').catch((error) => {
      if (error instanceof ApiError) setRefusal(error)
      throw error
    })
  return (
    <section aria-labelledby="my-data">
      <h2 id="my-data" className="text-2xl font-bold tracking-tight">
        Your data
      </h2>
      <div className="card mt-4 divide-y divide-line px-6 py-2 sm:px-8">
        <div className={accountRow}>
          <p className="max-w-[48ch] grow basis-72 text-dim">
            Everything that we know about you, as one file: account, profile, orders, reviews,
            mails, logins, and what we did with your orders.
          </p>
          <ExportButton name="my-data" type="json" words="Download my data" onExport={myData} />
        </div>
        <div className={accountRow}>
          <p className="max-w-[48ch] grow basis-72 text-dim">
            Your account, profile and unpaid orders go for good. Orders that you paid stay in our
            books without your name.
          </p>
          <RowButton className="text-danger" onClick={() => setLeaving(true)}>
            Delete my account
          </RowButton>
        </div>
      </div>
      {leaving && <DeleteAccountDialog email={email} onCancel={() => setLeaving(false)} />}
    </section>
  )
}
