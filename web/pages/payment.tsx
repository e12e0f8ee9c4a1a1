import { useParams, useRouteLoaderData } from 'react-router'
import type { PageHandle } from '#contracts/page-handle.ts'
import type { Shop } from '#contracts/shop.ts'
import { PaymentScreen } from '#web/features/payments/payment-screen.tsx'
import { ResendVerification } from '#web/features/users/resend-verification.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Payment')

export const handle: PageHandle = { samePage: true }

export default function Payment() {
  const { id = '' } = useParams()
  const { shop } = useRouteLoaderData('root') as { shop: Shop }
  return (
    <PaymentScreen
      key={id}
      id={id}
      payments={shop.payments}
      confirmation={<ResendVerification />}
    />
  )
}
