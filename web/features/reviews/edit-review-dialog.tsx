import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { OwnReview } from '#contracts/reviews.ts'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toast.ts'
import { useEditReview } from './own-queries.ts'
import { ReviewFields, TypedReview } from './review-fields.tsx'

type Props = { review: OwnReview; onClose: () => void }

/** Gives one's own review other stars or words. */
export function EditReviewDialog({ review: { _id: id, ...review }, onClose }: Props) {
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
          void toast('success', 'Your review is changed')
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
          ? 'The shop has hidden it, and it stays hidden until the shop shows it again.'
          : 'The new text is public at once, with a note that it was edited.'
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
