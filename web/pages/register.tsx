import { useRouteLoaderData } from 'react-router'
import type { Shop } from '#contracts/shop.ts'
import { SignUpScreen } from '#web/features/users/sign-up-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Sign Up', 'Create an account to book parts.')

export default function RegisterPage() {
  const { shop } = useRouteLoaderData('root') as { shop: Shop }
  return <SignUpScreen shop={shop} />
}
