import { type UseFormReturn, useController } from 'react-hook-form'
import { z } from 'zod'
import { NewReview, reviewLimits } from '#contracts/reviews.ts'
import { TextArea } from '#web/components/text-area.tsx'
import { StarRating } from './star-rating.tsx'

/** The contract's rules over what the form holds: the star is text there, a whole number when sent. */
export const TypedReview = NewReview.extend({
  ratings: z.string().transform(Number).pipe(NewReview.shape.ratings),
})

type Typed = z.input<typeof TypedReview>
type Props = {
  form: UseFormReturn<Typed, unknown, NewReview>
  /** What the shop says about single fields. */
  refused?: Record<string, string> | undefined
}

/** Stars and words of one review. */
export function ReviewFields({ form, refused }: Props) {
  const rating = useController({ control: form.control, name: 'ratings' })
  const { errors } = form.formState
  return (
    <>
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
    </>
  )
}
