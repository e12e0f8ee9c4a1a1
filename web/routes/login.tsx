import { useRouteLoaderData } from 'react-router'
import type { Shop } from '#contracts/shop.ts'
import { LoginScreen } from '#web/features/users/login-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Login', 'Log in to book parts and see your orders.')

export default function LoginPage() {
  const { shop } = useRouteLoaderData('root') as { shop: Shop }
  return <LoginScreen shop={shop} />
}
