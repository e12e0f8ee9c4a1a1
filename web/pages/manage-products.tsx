import '#web/styles/admin-parts.css'
import { ManagePartsScreen } from '#web/features/parts/manage-parts-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Manage all products')

export default function ManageProducts() {
  return <ManagePartsScreen />
}
