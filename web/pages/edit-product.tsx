import { lazy, Suspense } from 'react'
import { useParams } from 'react-router'
import type { PageHandle } from '#contracts/page-handle.ts'
import History from '#web/features/audit/audit-log.tsx'
import { EditPartScreen } from '#web/features/catalogue/edit-part-screen.tsx'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'

// the product's fields load first
const Holders = lazy(withTimeout(() => import('#web/features/users/holdings.tsx')))

export const meta = titled('Change a product')

export const handle: PageHandle = { samePage: true }

export default function EditProduct() {
  const { id = '' } = useParams()
  const { user } = useSession()
  return (
    user && (
      <EditPartScreen
        key={id + user.email}
        id={id}
        owner={user.email}
        more={
          <>
            <Suspense>
              <Holders partId={id} />
            </Suspense>
            <History about={`part:${id}`} />
          </>
        }
      />
    )
  )
}
