import type { PageHandle } from '#contracts/page-handle.ts'
import { VerifiedScreen } from '#web/features/users/verified-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Address confirmation')

export const handle: PageHandle = { query: ['error', 'token', 'email'] }

export default function VerifiedPage() {
  return <VerifiedScreen />
}
