import { AuditLogScreen } from '#web/features/audit/audit-log-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Audit log')

export default function Record() {
  return <AuditLogScreen />
}
