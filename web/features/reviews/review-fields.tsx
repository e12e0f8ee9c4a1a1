import { Star } from 'lucide-react'
import { useId } from 'react'
import { type UseFormReturn, useController } from 'react-hook-form'
import { z } from 'zod'
import { NewReview, reviewLimits } from '#contracts/reviews.ts'
import { TextArea } from '#web/components/field.tsx'

const stars = ['1', '2', '3', '4', '5'] as const

type StarRatingProps = {
  name: string
  /** '1' to '5', or '' while none is chosen. */
  value: string
  error?: string
  onChange: (value: string) => void
  onBlur: () => void
  /** Lets the form focus the rating when it is missing. */
  ref: (element: HTMLInputElement | null) => void
}

/** Five stars as a radio group, usable by pointer, arrow keys and screen readers. */
function StarRating({ name, value, error, onChange, onBlur, ref }: StarRatingProps) {
  const errorId = useId()
  return (
    <fieldset className="field" aria-describedby={errorId}>
      <legend className="field-label">Rating</legend>
      <div className="mt-1 flex items-center gap-2 sm:gap-4">
        <div className="stars">
          {stars.map((star, index) => (
            <label key={star} className="star">
              <input
                ref={index === 0 ? ref : undefined}
                type="radio"
                className="sr-only"
                name={name}
                value={star}
                checked={value === star}
                aria-label={star === '1' ? '1 star' : `${star} stars`}
                aria-invalid={error ? true : undefined}
                required
                onChange={() => onChange(star)}
                onBlur={onBlur}
              />
              <Star aria-hidden="true" className="size-8" />
            </label>
          ))}
        </div>
        <span
          aria-hidden="true"
          className="whitespace-nowrap font-mono text-dim text-sm tabular-nums"
        >
          {value ? `${value} of 5` : ''}
        </span>
      </div>
      <p id={errorId} className="field-error" aria-live="polite">
        {error}
      </p>
    </fieldset>
  )
}

/**
 * The contract's schema for form values: the rating is text in the form and a whole number in the
 * request.
 */
export const TypedReview = NewReview.extend({
  ratings: z.string().transform(Number).pipe(NewReview.shape.ratings),
})

type Typed = z.input<typeof TypedReview>
type Props = {
  form: UseFormReturn<Typed, unknown, NewReview>
  /** The server's errors by field. */
  refused?: Record<string, string> | undefined
}

/** Stars and text of one review. */
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
