import { useParams } from 'react-router'
import type { PageHandle } from '#contracts/page-handle.ts'
import { PaymentScreen } from '#web/features/payments/payment-screen.tsx'
import { ResendVerification } from '#web/features/users/mailed-links.tsx'
import { titled } from '#web/lib/page-meta.ts'
import { useShop } from '#web/lib/use-shop.ts'

export const meta = titled('Payment')

export const handle: PageHandle = { samePage: true }

export default function Payment() {
  const { id = '' } = useParams()
  return (
    <PaymentScreen
      key={id}
      id={id}
      payments={useShop().payments}
      verification={<ResendVerification />}
    />
  )
}
