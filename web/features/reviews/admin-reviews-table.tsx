import { Link } from 'react-router'
import type { OwnReview } from '#contracts/reviews.ts'
import { EmailText } from '#web/components/email-text.tsx'
import { ListTable, SortHeader } from '#web/components/list-table.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { shortMoment } from '#web/lib/moments.ts'
import type { ListAddress } from '#web/lib/use-list-address.ts'
import { Stars } from './stars.tsx'

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

export function AdminReviewsTable({ address, reviews, onAsk }: Props) {
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
