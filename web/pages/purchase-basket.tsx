import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { basketIn, basketText } from '#contracts/basket.ts'
import { BookBasketScreen } from '#web/features/orders/book-basket-screen.tsx'
import { ResendVerification } from '#web/features/users/mailed-links.tsx'
import { profileQuery, verifiedQuery } from '#web/features/users/queries.ts'
import { titled } from '#web/lib/page-meta.ts'
import { type Session, useSession } from '#web/lib/session/session.ts'

export const meta = titled('Book your basket')

/** The parts of a basket are booked together. */
function PurchaseOf({ user }: { user: NonNullable<Session['user']> }) {
  const [params] = useSearchParams()
  const { data: profile } = useQuery(profileQuery(user.email))
  const me = useQuery(verifiedQuery(user.email))
  const lines = basketIn(params.get('parts') ?? '')
  return (
    <BookBasketScreen
      key={basketText(lines)}
      lines={lines}
      user={{ ...user, phone: profile?.phone ?? undefined }}
      verification={<ResendVerification />}
      // where it cannot be known, the server says so
      isVerified={me.isError || me.data?.emailVerified}
    />
  )
}

export default function PurchaseBasket() {
  const { user } = useSession()
  return (
    <div className="column min-h-dvh py-6 md:py-10">
      {user && <PurchaseOf key={user.email} user={user} />}
    </div>
  )
}
