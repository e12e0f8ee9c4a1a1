import { DataSection } from './data-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** What follows the profile: where one is signed in, and what belongs to the account. */
export function AccountRooms({ email }: { email: string }) {
  return (
    <div className="mt-12 grid max-w-3xl gap-12">
      <SessionsSection email={email} />
      <DataSection email={email} />
    </div>
  )
}
