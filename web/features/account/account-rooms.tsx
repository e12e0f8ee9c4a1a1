import { SessionsSection } from './sessions-section.tsx'

/** What follows the profile: where one is signed in. */
export function AccountRooms({ email }: { email: string }) {
  return (
    <div className="mt-12 grid max-w-3xl gap-12">
      <SessionsSection email={email} />
    </div>
  )
}
