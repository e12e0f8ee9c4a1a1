import type { PageHandle } from '#contracts/page-handle.ts'
import { ResetPasswordScreen } from '#web/features/users/reset-password-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('New password')

export const handle: PageHandle = { query: ['token', 'error'] }

export default function ResetPasswordPage() {
  return <ResetPasswordScreen />
}
