import { zodResolver } from '@hookform/resolvers/zod'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { messages } from '#contracts/messages.ts'
import { partPath } from '#contracts/part-address.ts'
import type { NewReview } from '#contracts/reviews.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { ApiError, api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'
import { isUnverified } from '#web/lib/refusals.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { OwnReviews } from './own-reviews.tsx'
import { ownReviewsQuery } from './queries.ts'
import { ReviewFields, TypedReview } from './review-fields.tsx'

const empty = { review: '', ratings: '' }

/** The reviewed part. */
type ReviewedPart = { _id: string; number: number; name: string }

type FormProps = {
  reviewer: Reviewer
  /** Undefined for a review of the shop. */
  part: ReviewedPart | undefined
  /** The reviewer's earlier review of the part. */
  before: NewReview | undefined
  /** The notice for a reviewer whose address is not verified. */
  verification: ReactNode
  /** Called after a review is accepted and the form is empty again. */
  onAdded: () => void
}

/** Stars and text about the shop or a part. */
function ReviewForm({ reviewer, part, before, verification, onAdded }: FormProps) {
  const { add, changed } = useAddReview(reviewer, part?._id)
  const form = useForm({
    resolver: zodResolver(TypedReview),
    mode: 'onTouched',
    defaultValues: before ? { ...before, ratings: String(before.ratings) } : empty,
  })
  useSignedOutBy(add.error)
  const clearDraft = useDraft(form, part ? `review ${part._id}` : 'review', reviewer.email)
  const refusal = add.error instanceof ApiError ? add.error : null

  const save = (review: NewReview) =>
    add.mutate(review, {
      onSuccess: () => {
        clearDraft()
        if (!part) form.reset(empty)
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
        {before ? 'Change review' : 'Add review'}
      </Button>
      <p role="alert" className="pt-3 text-danger text-sm empty:pt-0">
        {!refusal?.fields && add.error?.message}
      </p>
      {isUnverified(add.error) && <div className="pt-3">{verification}</div>}
    </Form>
  )
}

type Props = {
  reviewer: Reviewer
  verification: ReactNode
  /** The number of the part to review. */
  number: string | undefined
}

/**
 * Adds a review of the shop for the home page, or of a part, and lists the customer's earlier
 * reviews.
 */
export function AddReviewScreen({ reviewer, verification, number }: Props) {
  const [added, setAdded] = useState(false)
  const { data: part, error, refetch, isSuccess } = useQuery(reviewedPartQuery(number))
  const { data: own, isFetched } = useQuery(ownReviewsQuery(reviewer.email))
  if (number && error) return <ErrorState message={error.message} onRetry={() => void refetch()} />
  if (number && isSuccess && !part) {
    return (
      <EmptyState heading="h1" title="This part is no longer sold">
        You can’t review it any more.
      </EmptyState>
    )
  }
  if (number && !(part && isFetched)) return <Skeleton className="h-96 max-w-3xl" />
  const before = part && own?.find((review) => review.part?._id === part._id)
  return (
    <>
      <section aria-labelledby="add-review">
        <h1 id="add-review" tabIndex={-1} className="text-4xl font-bold tracking-tight">
          {part ? `Review ${part.name}` : 'Add a review'}
        </h1>
        <p className="mt-2 mb-6 max-w-[60ch] text-pretty text-dim">
          {part
            ? 'Your name, stars and review appear on the part’s page. Your email doesn’t.'
            : 'Your name, stars and review appear on the home page, with ‘Bought here’ if you did. Your email doesn’t.'}
        </p>
        <div className="card max-w-3xl p-6 sm:p-8">
          <ReviewForm
            key={part?._id}
            reviewer={reviewer}
            part={part}
            before={before}
            verification={verification}
            onAdded={() => setAdded(true)}
          />
          <p role="status" className="pt-3 text-sm empty:pt-0">
            {added && (
              <>
                {part
                  ? 'Your review is now on the part’s page. '
                  : 'Your review is now on the home page. '}
                <Link to={part ? `${partPath(part)}#reviews` : '/#reviews'} className="link">
                  See the reviews
                </Link>
              </>
            )}
          </p>
        </div>
      </section>
      <OwnReviews email={reviewer.email} />
    </>
  )
}

const reviewedPartQuery = (number = '') =>
  queryOptions({
    queryKey: ['reviewed part', number],
    queryFn: async () => (await api.parts[':part'].$get({ param: { part: number } })).json(),
    // the id of a part that is no longer sold is not public, so it cannot be reviewed
    select: (part): ReviewedPart | undefined => (part.isOnSale ? part : undefined),
    enabled: number !== '',
  })

type Reviewer = { name: string; email: string }

/**
 * POST /review. Each attempt has one idempotency key: sending the same review twice makes one
 * review.
 */
function useAddReview(reviewer: Reviewer, partId: string | undefined) {
  const client = useQueryClient()
  const key = useRef<string>(null)
  const add = useMutation({
    mutationFn: async (review: NewReview) => {
      key.current ??= crypto.randomUUID()
      const headers = { 'Idempotency-Key': key.current }
      const answer = await api.review.$post(
        { json: { ...reviewer, ...review, partId } },
        { headers },
      )
      if (!(await answer.json()).acknowledged) {
        throw new Error('Your review wasn’t saved. Try again.')
      }
    },
    onSuccess: () => {
      key.current = null
      void outdate(client, 'addReview')
    },
  })

  /** A form changed after an error is a new review. */
  function changed() {
    key.current = null
    if (!add.isPending) add.reset()
  }

  return { add, changed }
}
