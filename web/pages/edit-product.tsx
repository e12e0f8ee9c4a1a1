import { useParams } from 'react-router'
import type { PageHandle } from '#contracts/page-handle.ts'
import History from '#web/features/audit/audit-log.tsx'
import { EditPartScreen } from '#web/features/parts/edit-part-screen.tsx'
import { Holders } from '#web/features/queue/holdings.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'

export const meta = () => pageMeta('Change a product')

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
            <Holders partId={id} />
            <History about={`part:${id}`} />
          </>
        }
      />
    )
  )
}
