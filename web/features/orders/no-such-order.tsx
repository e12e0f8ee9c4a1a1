import { messages } from '#contracts/messages.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/states.tsx'

/** For an order that does not exist or belongs to another customer: the shop does not say which. */
export function NoSuchOrder() {
  return (
    <EmptyState
      heading="h1"
      title={messages.notFound}
      action={<ButtonLink to="/dashboard/myOrders">My orders</ButtonLink>}
    >
      There is no such order. It may have been deleted.
    </EmptyState>
  )
}
