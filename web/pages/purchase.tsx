import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { Phone } from '#contracts/orders.ts'
import { PurchaseScreen } from '#web/features/orders/purchase-screen.tsx'
import { lastPhoneQuery } from '#web/features/orders/queries.ts'
import { QueuePanel } from '#web/features/queue/queue-panel.tsx'
import { ResendVerification } from '#web/features/users/mailed-links.tsx'
import { profileQuery } from '#web/features/users/queries.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { type Session, useSession } from '#web/lib/session.ts'

export const meta = () => pageMeta('Book a part')

/** The booking form begins with the phone of the profile, else of the last order. */
function PurchaseOf({ user }: { user: NonNullable<Session['user']> }) {
  const { id = '' } = useParams()
  const { data: profile } = useQuery(profileQuery(user.email))
  const saved = Phone.safeParse(profile?.phone).data
  const isKnown = profile !== undefined
  const { data: last } = useQuery({ ...lastPhoneQuery(user.email), enabled: isKnown && !saved })
  const phone = saved ?? last ?? undefined
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
