import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { messages } from '#contracts/messages.ts'
import type { NewReview } from '#contracts/reviews.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { ReviewFields, TypedReview } from './review-fields.tsx'
import { type Reviewer, useAddReview } from './use-add-review.ts'

const empty = { review: '', ratings: '' }

type Props = {
  reviewer: Reviewer
  /** What helps a reviewer whose address is not confirmed. */
  confirmation: ReactNode
  /** A review was taken; the form is empty again. */
  onAdded: () => void
}

/** Stars and words about the shop. */
export function ReviewForm({ reviewer, confirmation, onAdded }: Props) {
  const { add, changed } = useAddReview(reviewer)
  const form = useForm({
    resolver: zodResolver(TypedReview),
    mode: 'onTouched',
    defaultValues: empty,
  })
  useSignedOutBy(add.error)
  const clearDraft = useDraft(form, 'review', reviewer.email)
  const refusal = add.error instanceof ApiError ? add.error : null

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
      <ReviewFields form={form} refused={refusal?.fields} />
      <Button type="submit" className="mt-3" loading={add.isPending}>
        Add review
      </Button>
      <p role="alert" className="pt-3 text-danger text-sm empty:pt-0">
        {!refusal?.fields && add.error?.message}
      </p>
      {refusal?.code === 'NOT_VERIFIED' && <div className="pt-3">{confirmation}</div>}
    </Form>
  )
}
