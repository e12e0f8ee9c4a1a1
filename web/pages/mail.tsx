import { MailScreen } from '#web/features/mail/mail-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import '#web/styles/mail.css'

export const meta = () => pageMeta('Mail')

export default function Mail() {
  return <MailScreen />
}
