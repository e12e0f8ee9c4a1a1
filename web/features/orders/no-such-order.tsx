import { messages } from '#contracts/messages.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'

/** For an order that is not there, or is somebody else's: the shop does not tell which. */
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
