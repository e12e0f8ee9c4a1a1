import { VerifiedScreen } from '#web/features/users/verified-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Address confirmation')

export default function VerifiedPage() {
  return <VerifiedScreen />
}
