import { useParams } from 'react-router'
import { PurchaseScreen } from '#web/features/orders/purchase-screen.tsx'
import { useSession } from '#web/lib/session.ts'

export const meta = () => [{ title: 'Book a part · Ferrite' }]

export default function Purchase() {
  const { id = '' } = useParams()
  const { user } = useSession()
  return user && <PurchaseScreen key={id} id={id} user={user} />
}
