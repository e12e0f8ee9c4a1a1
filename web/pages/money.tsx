import { ReconciliationScreen } from '#web/features/reconciliation/money-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import '#web/styles/money.css'

export const meta = () => pageMeta('Money')

export default function Money() {
  return <ReconciliationScreen />
}
