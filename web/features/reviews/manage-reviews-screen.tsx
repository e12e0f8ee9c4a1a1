import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { ReviewFilter, ReviewList } from '#contracts/lists.ts'
import { partPath } from '#contracts/part-address.ts'
import type { OwnReview } from '#contracts/reviews.ts'
import { ReasonDialog } from '#web/components/dialogs.tsx'
import { EmailText } from '#web/components/email-text.tsx'
import { ListFrame, ListTable, SortHeader } from '#web/components/list-frame.tsx'
import { ListTools } from '#web/components/list-tools.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { api } from '#web/lib/api.ts'
import { countQuery, pageQuery, rowsAsked } from '#web/lib/lists/list-page.ts'
import { filterOf, type ListAddress, useListAddress } from '#web/lib/lists/use-list-address.ts'
import { shortMoment } from '#web/lib/moments.ts'
import { outdate } from '#web/lib/outdated.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { Stars } from './review-list.tsx'

/** One page of all reviews; refetched each time an admin opens it. */
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
      void outdate(client, 'moderateReview')
    },
  })
}

export const meta = titled('Manage all reviews')

const selects = {
  state: { label: 'State', choices: { '': 'All', shown: 'Shown', hidden: 'Hidden' } },
  bought: {
    label: 'Author',
    choices: { '': 'All authors', yes: 'Bought here', no: 'Hasn’t bought here' },
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
          ? `From now on, only ${review.name} and the shop’s admins can read it, and its stars no longer count.`
          : 'It’s public again, and its stars count.'
      }
      hint={
        action === 'hide'
          ? 'The author sees this too. It’s kept in the audit log.'
          : 'It’s kept in the audit log.'
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
              void toast('success', `Review ${action === 'hide' ? 'hidden' : 'shown again'}`)
              onClose()
            },
          },
        )
      }
      onCancel={onClose}
    />
  )
}

/** All reviews, for admins to search, hide and show again. */
export default function ManageReviewsScreen() {
  const address = useListAddress(['q', 'state', 'bought', 'ratings'])
  const list = useQuery(adminReviewsQuery(filterOf(ReviewList, address)))
  const leaving = useSignedOutUnlessAdmin(list.error)
  const [confirming, setConfirming] = useState<OwnReview | null>(null)
  return (
    <>
      <ListFrame
        title="Manage all reviews"
        tools={<ListTools address={address} search="Author, email or text" selects={selects} />}
        address={address}
        list={list}
        leaving={leaving}
        count={adminReviewsCountQuery(filterOf(ReviewFilter, address))}
        noun={['review', 'reviews']}
        empty={<EmptyState title="No reviews yet">Customer reviews will appear here.</EmptyState>}
      >
        {(reviews) => (
          <AdminReviewsTable address={address} reviews={reviews} onAsk={setConfirming} />
        )}
      </ListFrame>
      {confirming && <ModerateDialog review={confirming} onClose={() => setConfirming(null)} />}
    </>
  )
}

type Props = {
  address: ListAddress
  reviews: OwnReview[]
  /** Asks for the reason to hide a review, or to show a hidden one. */
  onAsk: (review: OwnReview) => void
}

function ReviewRow({ review, onAsk }: Pick<Props, 'onAsk'> & { review: OwnReview }) {
  const { name, email, hiddenAt, hiddenReason } = review
  const action = hiddenAt ? 'Show' : 'Hide'
  return (
    <tr
      data-hidden={hiddenAt ? '' : undefined}
      className="grid-cols-[1fr_auto] [grid-template-areas:'who_action'_'text_text'_'when_when'] data-hidden:[&_.rating-stars]:opacity-50"
    >
      <td className="[grid-area:who] wide:w-52 wide:py-3.5 wide:align-top">
        <span className="font-semibold">{name}</span>
        <p className="text-dim text-sm">
          <EmailText email={email} />
        </p>
        {review.boughtHere && <span className="tag">Bought here</span>}
      </td>
      <td className="[grid-area:text] wide:py-3.5 wide:align-top">
        <Stars ratings={review.ratings} />
        {review.part && (
          <p className="mt-1 text-sm">
            of{' '}
            <Link to={partPath(review.part)} className="link">
              {review.part.name}
            </Link>
          </p>
        )}
        <p className="mt-1 whitespace-pre-line">{review.review}</p>
        {hiddenReason && (
          <p className="mt-1 text-sm">
            <span className="tag tag-strong">hidden</span> {hiddenReason}
          </p>
        )}
      </td>
      <td className="text-dim text-sm [grid-area:when] wide:w-34 wide:py-3.5 wide:align-top">
        <time dateTime={review.createdAt}>{shortMoment(review.createdAt)}</time>
        {review.editedAt && (
          <p>
            edited <time dateTime={review.editedAt}>{shortMoment(review.editedAt)}</time>
          </p>
        )}
      </td>
      <td className="flex items-center justify-end gap-3 [grid-area:action] wide:table-cell wide:w-22 wide:text-center">
        <RowButton aria-label={`${action} the review of ${name}`} onClick={() => onAsk(review)}>
          {action}
        </RowButton>
        <Link
          to={`/dashboard/audit?about=review:${review._id}`}
          className="link text-sm wide:mt-1.5 wide:inline-block"
          aria-label={`Audit log of the review of ${name}`}
        >
          Audit log
        </Link>
      </td>
    </tr>
  )
}

function AdminReviewsTable({ address, reviews, onAsk }: Props) {
  return (
    <ListTable
      caption="Reviews"
      head={
        <>
          <th scope="col">Author</th>
          <SortHeader address={address} label="Review" ascending="ratings" descending="-ratings" />
          <SortHeader
            address={address}
            label="Written"
            ascending="oldest"
            descending=""
            first="descending"
          />
          <th scope="col">
            <span className="sr-only">Hide or show</span>
          </th>
        </>
      }
    >
      {reviews.map((review) => (
        <ReviewRow key={review._id} review={review} onAsk={onAsk} />
      ))}
    </ListTable>
  )
}
