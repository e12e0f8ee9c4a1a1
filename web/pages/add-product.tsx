import '#web/styles/part-form.css'
import { AddPartScreen } from '#web/features/parts/add-part-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'

export const meta = () => pageMeta('Add a product')

export default function AddProduct() {
  const { user } = useSession()
  return user && <AddPartScreen key={user.email} owner={user.email} />
}
