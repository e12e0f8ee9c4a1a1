import { OverviewPage } from '#web/features/overview/overview-page.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import '#web/styles/overview.css'

export const meta = () => pageMeta('Overview')

export default function Overview() {
  return <OverviewPage />
}
