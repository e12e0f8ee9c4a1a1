import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { partPath } from '#contracts/part-address.ts'
import type { NewReview, OwnReview } from '#contracts/reviews.ts'
import { ConfirmDialog, FormDialog } from '#web/components/dialogs.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { ApiError, api } from '#web/lib/api.ts'
import { utcDay } from '#web/lib/moments.ts'
import { outdate } from '#web/lib/outdated.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { ownReviewsQuery } from './queries.ts'
import { ReviewFields, TypedReview } from './review-fields.tsx'
import { Stars } from './review-list.tsx'

type Props = { review: OwnReview; onClose: () => void }

/** Changes the stars or text of the user's own review. */
function EditReviewDialog({ review: { _id: id, ...review }, onClose }: Props) {
  const edit = useEditReview()
  const form = useForm({
    resolver: zodResolver(TypedReview),
    mode: 'onTouched',
    defaultValues: { review: review.review, ratings: String(review.ratings) },
  })
  const refused = edit.error instanceof ApiError ? edit.error.fields : undefined
  const save = form.handleSubmit((json) =>
    edit.mutate(
      { id, json },
      {
        onSuccess: () => {
          void toast('success', 'Your review has been updated')
          onClose()
        },
      },
    ),
  )
  return (
    <FormDialog
      title="Edit your review"
      about={
        review.hiddenAt
          ? 'The shop has hidden this review. It stays hidden until the shop shows it again.'
          : 'Your changes go live at once, marked as edited.'
      }
      confirmText="Save"
      busyText="Saving…"
      busy={edit.isPending}
      error={refused ? undefined : edit.error?.message}
      onSubmit={save}
      onCancel={onClose}
    >
      <ReviewFields form={form} refused={refused} />
    </FormDialog>
  )
}

type RowProps = { review: OwnReview; onEdit: () => void; onRemove: () => void }

function OwnReviewRow({ review, onEdit, onRemove }: RowProps) {
  const written = utcDay(review.createdAt)
  return (
    <li className="border-line border-t py-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Stars ratings={review.ratings} />
        <span className="label">
          <time dateTime={review.createdAt}>{written}</time>
          {review.editedAt && ', edited'}
        </span>
        {review.boughtHere && <span className="review-bought">Bought here</span>}
        {review.part && (
          <Link to={partPath(review.part)} className="link text-sm">
            {review.part.name}
          </Link>
        )}
      </div>
      <p className="wrap-anywhere mt-2 mb-3 whitespace-pre-line">{review.review}</p>
      {review.hiddenReason && (
        <p className="mb-3 text-sm">
          <strong>Hidden by the shop:</strong> {review.hiddenReason}
        </p>
      )}
      <div className="flex gap-2">
        <RowButton aria-label={`Edit the review of ${written}`} onClick={onEdit}>
          Edit
        </RowButton>
        <RowButton aria-label={`Delete the review of ${written}`} onClick={onRemove}>
          {' '}
          Delete
        </RowButton>
      </div>
    </li>
  )
}

/** The customer's reviews, to edit or remove; renders nothing without reviews. */
export function OwnReviews({ email }: { email: string }) {
  const { data: reviews = [] } = useQuery(ownReviewsQuery(email))
  const [editing, setEditing] = useState<OwnReview | null>(null)
  const [confirming, setConfirming] = useState<OwnReview | null>(null)
  const remove = useRemoveReview()
  const heading = useRef<HTMLHeadingElement>(null)
  const [answered, setAnswered] = useState(0)
  // the focused button disappears with its review; the dialog closes before an effect here runs
  useEffect(() => {
    if (answered > 0) heading.current?.focus()
  }, [answered])
  if (reviews.length === 0 && !remove.isSuccess) return null
  const confirm = () =>
    confirming &&
    remove.mutate(confirming._id, {
      onSuccess: () => void toast('success', 'Your review has been deleted'),
      onError: (problem) => void toast('error', problem.message),
      onSettled: () => {
        setConfirming(null)
        setAnswered((count) => count + 1)
      },
    })
  return (
    <section aria-labelledby="own-reviews" className="mt-12 max-w-3xl">
      <h2
        id="own-reviews"
        ref={heading}
        tabIndex={-1}
        className="text-2xl font-semibold tracking-tight"
      >
        Your reviews
      </h2>
      {reviews.length === 0 && <p className="mt-2 text-dim">You have no reviews left.</p>}
      <ul className="mt-3">
        {reviews.map((review) => (
          <OwnReviewRow
            key={review._id}
            review={review}
            onEdit={() => setEditing(review)}
            onRemove={() => setConfirming(review)}
          />
        ))}
      </ul>
      {editing && <EditReviewDialog review={editing} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        open={confirming !== null}
        title="Delete your review?"
        confirmText="Delete"
        busy={remove.isPending}
        onCancel={() => setConfirming(null)}
        onConfirm={confirm}
      >
        It will no longer be public, and you can’t get it back.
      </ConfirmDialog>
    </section>
  )
}

function useOwnReviewAction<Variables>(action: (variables: Variables) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: action,
    onSettled: () => {
      void outdate(client, 'editReview')
    },
  })
}

/** PUT /review/{id} */
const useEditReview = () =>
  useOwnReviewAction(({ id, json }: { id: string; json: NewReview }) =>
    api.review[':id'].$put({ param: { id }, json }),
  )

/** DELETE /review/{id} */
const useRemoveReview = () =>
  useOwnReviewAction((id: string) => api.review[':id'].$delete({ param: { id } }))
