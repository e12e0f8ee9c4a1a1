import { useParams } from 'react-router'
import { PurchaseScreen } from '#web/features/orders/purchase-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'

export const meta = () => pageMeta('Book a part')

export default function Purchase() {
  const { id = '' } = useParams()
  const { user } = useSession()
  return (
    <div className="column min-h-dvh py-6 md:py-10">
      {user && <PurchaseScreen key={id} id={id} user={user} />}
    </div>
  )
}
