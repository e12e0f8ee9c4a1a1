import { ResetPasswordScreen } from '#web/features/users/reset-password-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => [...pageMeta('New password'), { name: 'robots', content: 'noindex' }]

export default function ResetPasswordPage() {
  return <ResetPasswordScreen />
}
