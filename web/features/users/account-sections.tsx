import { DataSection } from './data-section.tsx'
import { LoginSection } from './login-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** What follows the profile: the login, where one is signed in, and what belongs to the account. */
export function AccountSections({ email }: { email: string }) {
  return (
    <div className="mt-12 grid max-w-3xl gap-12">
      <LoginSection email={email} />
      <SessionsSection email={email} />
      <DataSection email={email} />
    </div>
  )
}
