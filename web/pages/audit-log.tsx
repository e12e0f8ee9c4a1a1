import { RecordScreen } from '#web/features/audit/audit-log-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Record')

export default function Record() {
  return <RecordScreen />
}
