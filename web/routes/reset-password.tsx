import { ResetPasswordScreen } from '#web/features/users/reset-password-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('New password')

export default function ResetPasswordPage() {
  return <ResetPasswordScreen />
}
