import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { PurchaseScreen } from '#web/features/orders/purchase-screen.tsx'
import { QueuePanel } from '#web/features/queue/queue-panel.tsx'
import { ResendVerification } from '#web/features/users/mailed-links.tsx'
import { profileQuery } from '#web/features/users/queries.ts'
import { titled } from '#web/lib/page-meta.ts'
import { type Session, useSession } from '#web/lib/session/session.ts'

export const meta = titled('Book a part')

/** The booking form starts with the profile's phone, which the first booking stores. */
function PurchaseOf({ user }: { user: NonNullable<Session['user']> }) {
  const { id = '' } = useParams()
  const { data: profile } = useQuery(profileQuery(user.email))
  const phone = profile?.phone ?? undefined
  return (
    <PurchaseScreen
      key={id}
      id={id}
      user={{ ...user, phone }}
      verification={<ResendVerification />}
      queue={(part, soldOut) => (
        <QueuePanel part={part} phone={phone} verification={<ResendVerification />}>
          {soldOut}
        </QueuePanel>
      )}
    />
  )
}

export default function Purchase() {
  const { user } = useSession()
  return (
    <div className="column min-h-dvh py-6 md:py-10">
      {user && <PurchaseOf key={user.email} user={user} />}
    </div>
  )
}
