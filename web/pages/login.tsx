import { useRouteLoaderData } from 'react-router'
import type { PageHandle } from '#contracts/page-handle.ts'
import type { Shop } from '#contracts/shop.ts'
import { LoginScreen } from '#web/features/users/login-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Login', 'Log in to book parts and see your orders.')

export const handle: PageHandle = { query: ['google'] }

export default function LoginPage() {
  const { shop } = useRouteLoaderData('root') as { shop: Shop }
  return <LoginScreen shop={shop} />
}
