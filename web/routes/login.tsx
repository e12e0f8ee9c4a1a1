import { LoginScreen } from '#web/features/users/login-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Login', 'Log in to book parts and see your orders.')

export default function LoginPage() {
  return <LoginScreen />
}
