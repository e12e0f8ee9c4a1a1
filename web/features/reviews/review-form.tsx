import { zodResolver } from '@hookform/resolvers/zod'
import { useController, useForm } from 'react-hook-form'
import { z } from 'zod'
import { messages } from '#contracts/messages.ts'
import { NewReview, reviewLimits } from '#contracts/reviews.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { TextArea } from '#web/components/text-area.tsx'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { StarRating } from './star-rating.tsx'
import { type Reviewer, useAddReview } from './use-add-review.ts'

const empty = { review: '', ratings: '' }

/** The contract's rules over what the form holds: the star is text there, a whole number when sent. */
const Typed = NewReview.extend({
  ratings: z.string().transform(Number).pipe(NewReview.shape.ratings),
})

/** Stars and words about the shop. `onAdded` hears when a review was taken; the form is empty again then. */
export function ReviewForm({ reviewer, onAdded }: { reviewer: Reviewer; onAdded: () => void }) {
  const { add, changed } = useAddReview(reviewer)
  const form = useForm({ resolver: zodResolver(Typed), mode: 'onTouched', defaultValues: empty })
  const rating = useController({ control: form.control, name: 'ratings' })
  // after the stars: they have to be listening when the draft comes back
  const clearDraft = useDraft(form, 'review', reviewer.email)
  useSignedOutBy(add.error)
  const { errors } = form.formState
  const refused = add.error instanceof ApiError ? add.error.fields : undefined

  const save = (review: NewReview) =>
    add.mutate(review, {
      onSuccess: () => {
        clearDraft()
        form.reset(empty)
        void toast('success', messages.reviewThanks)
        onAdded()
      },
    })

  return (
    <Form onChange={changed} onSubmit={form.handleSubmit(save)}>
      <div className="grid gap-x-5 gap-y-1 sm:grid-cols-2">
        <Field label="Name" value={reviewer.name} readOnly autoComplete="name" />
        <Field label="Email" value={reviewer.email} readOnly autoComplete="email" />
      </div>
      <StarRating {...rating.field} error={errors.ratings?.message ?? refused?.ratings} />
      <TextArea
        label="Review"
        rows={6}
        required
        typed={form.watch('review').trim().length}
        limit={reviewLimits.text}
        error={errors.review?.message ?? refused?.review}
        {...form.register('review')}
      />
      <Button type="submit" className="mt-3" loading={add.isPending}>
        Add review
      </Button>
      <p role="alert" className="pt-3 text-danger text-sm empty:pt-0">
        {!refused && add.error?.message}
      </p>
    </Form>
  )
}
