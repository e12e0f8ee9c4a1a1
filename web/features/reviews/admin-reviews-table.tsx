import { Link } from 'react-router'
import type { OwnReview } from '#contracts/reviews.ts'
import { EmailText } from '#web/components/email-text.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { SortHeader } from '#web/components/sort-header.tsx'
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
    <tr data-hidden={hiddenAt ? '' : undefined}>
      <td className="reviews-who">
        <span className="font-semibold">{name}</span>
        <p className="text-dim text-sm">
          <EmailText email={email} />
        </p>
        {review.boughtHere && <span className="tag">Bought here</span>}
      </td>
      <td className="reviews-text">
        <Stars ratings={review.ratings} />
        <p className="mt-1 whitespace-pre-line">{review.review}</p>
        {hiddenReason && (
          <p className="mt-1 text-sm">
            <span className="tag tag-strong">hidden</span> {hiddenReason}
          </p>
        )}
      </td>
      <td className="reviews-when text-dim text-sm">
        <time dateTime={review.createdAt}>{shortMoment(review.createdAt)}</time>
        {review.editedAt && (
          <p>
            edited <time dateTime={review.editedAt}>{shortMoment(review.editedAt)}</time>
          </p>
        )}
      </td>
      <td className="reviews-action">
        <RowButton aria-label={`${action} the review of ${name}`} onClick={() => onAsk(review)}>
          {action}
        </RowButton>
        <Link
          to={`/dashboard/audit?about=review:${review._id}`}
          className="link text-sm"
          aria-label={`Audit log of the review of ${name}`}
        >
          Audit log
        </Link>
      </td>
    </tr>
  )
}

/** All reviews as a table; on a narrow screen each row is a card. */
export function AdminReviewsTable({ address, reviews, onAsk }: Props) {
  return (
    <table className="list-table reviews-list">
      <caption className="sr-only">Reviews</caption>
      <thead>
        <tr>
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
        </tr>
      </thead>
      <tbody>
        {reviews.map((review) => (
          <ReviewRow key={review._id} review={review} onAsk={onAsk} />
        ))}
      </tbody>
    </table>
  )
}
