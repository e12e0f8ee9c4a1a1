import { VerifiedScreen } from '#web/features/users/verified-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => [
  ...pageMeta('Address confirmation'),
  { name: 'robots', content: 'noindex' },
]

export default function VerifiedPage() {
  return <VerifiedScreen />
}
