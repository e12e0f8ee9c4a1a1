import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewFilter, ReviewList } from '#contracts/lists.ts'
import type { OwnReview } from '#contracts/reviews.ts'
import { ListFrame } from '#web/components/list-frame.tsx'
import { ListTools } from '#web/components/list-tools.tsx'
import { ReasonDialog } from '#web/components/reason-dialog.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { api } from '#web/lib/api.ts'
import { countQuery, pageQuery, rowsAsked } from '#web/lib/list-page.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { toast } from '#web/lib/toast.ts'
import { filterOf, useListAddress } from '#web/lib/use-list-address.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/use-signed-out-unless-admin.ts'
import { AdminReviewsTable } from './admin-reviews-table.tsx'

/** One page of all reviews; fetched again whenever an admin looks at it. */
const adminReviewsQuery = (filter: ReviewList) =>
  pageQuery('admin-reviews', filter, (options) =>
    api.reviews.$get({ query: { ...filter, limit: rowsAsked } }, options),
  )

const adminReviewsCountQuery = (filter: ReviewFilter) =>
  countQuery('admin-reviews', filter, (options) =>
    api.reviews.count.$get({ query: filter }, options),
  )

type Moderation = { id: string; action: 'hide' | 'show'; reason: string }

/** POST /review/{id}/hide or /show */
function useModerateReview() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, action, reason }: Moderation) => {
      const call = { param: { id }, json: { reason } }
      const { hide, show } = api.review[':id']
      await (action === 'hide' ? hide.$post(call) : show.$post(call))
    },
    onSettled: () => {
      for (const queryKey of [['admin-reviews'], ['count'], ['audit-log']])
        void client.invalidateQueries({ queryKey })
      void client.invalidateQueries({ queryKey: ['reviews'], refetchType: 'none' })
    },
  })
}

export const meta = () => pageMeta('Manage all reviews')

const selects = {
  state: { label: 'State', choices: { '': 'All', shown: 'Shown', hidden: 'Hidden' } },
  bought: {
    label: 'Author',
    choices: { '': 'All authors', yes: 'Bought here', no: 'Has not bought' },
  },
  ratings: {
    label: 'Stars',
    choices: { '': 'Any', 1: '1 of 5', 2: '2 of 5', 3: '3 of 5', 4: '4 of 5', 5: '5 of 5' },
  },
  sort: {
    label: 'Sorted by',
    choices: {
      '': 'Newest first',
      oldest: 'Oldest first',
      ratings: 'Fewest stars first',
      '-ratings': 'Most stars first',
    },
  },
}

function ModerateDialog({ review, onClose }: { review: OwnReview; onClose: () => void }) {
  const moderate = useModerateReview()
  const action = review.hiddenAt ? 'show' : 'hide'
  const words = { hide: 'Hide', show: 'Show' }[action]
  return (
    <ReasonDialog
      title={`${words} this review?`}
      about={
        action === 'hide'
          ? `Only ${review.name} and the shop's admins can read it from now on, and its stars no longer count.`
          : 'It is public again, and its stars count.'
      }
      hint={
        action === 'hide'
          ? 'The author reads it too. It is kept in the audit log.'
          : 'It is kept in the audit log.'
      }
      confirmText={words}
      busyText="One moment…"
      busy={moderate.isPending}
      error={moderate.error?.message}
      onConfirm={(reason) =>
        moderate.mutate(
          { id: review._id, action, reason },
          {
            onSuccess: () => {
              void toast('success', `The review is ${action === 'hide' ? 'hidden' : 'shown again'}`)
              onClose()
            },
          },
        )
      }
      onCancel={onClose}
    />
  )
}

/** All reviews, for admins: search, hide and show again. */
export default function ManageReviewsScreen() {
  const address = useListAddress(['q', 'state', 'bought', 'ratings'])
  const list = useQuery(adminReviewsQuery(filterOf(ReviewList, address)))
  const leaving = useSignedOutUnlessAdmin(list.error)
  const [asked, setAsked] = useState<OwnReview | null>(null)
  return (
    <>
      <ListFrame
        title="Manage all reviews"
        tools={<ListTools address={address} search="Author, e-mail or words" selects={selects} />}
        address={address}
        list={list}
        leaving={leaving}
        count={adminReviewsCountQuery(filterOf(ReviewFilter, address))}
        noun={['review', 'reviews']}
        empty={
          <EmptyState title="No reviews yet">
            What customers write about the shop is listed here.
          </EmptyState>
        }
      >
        {(reviews) => <AdminReviewsTable address={address} reviews={reviews} onAsk={setAsked} />}
      </ListFrame>
      {asked && <ModerateDialog review={asked} onClose={() => setAsked(null)} />}
    </>
  )
}
