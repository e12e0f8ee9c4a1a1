import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { z } from 'zod'
import { counted } from '#contracts/counted.ts'
import type { UnsentMail } from '#contracts/mail.ts'
import { Email } from '#contracts/users.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { useFocusFallback } from '#web/lib/focus-fallback.ts'
import { shortMoment } from '#web/lib/moments.ts'
import { useDismiss, useResend } from './queries.ts'

const Corrected = z.object({ recipient: Email })

type Props = { mail: UnsentMail }

/** Corrects the address; only a mail about an order may go to a different one. */
function CorrectForm({ mail }: Props) {
  const resend = useResend(mail._id)
  const form = useForm({
    resolver: zodResolver(Corrected),
    mode: 'onTouched',
    defaultValues: { recipient: mail.recipient },
  })
  return (
    <Form
      className="col-span-full grid gap-x-4 border-line border-t pt-3.5 @xl:grid-cols-[minmax(0,24rem)_auto] @xl:justify-start"
      aria-label={`Send “${mail.subject}” again`}
      onSubmit={form.handleSubmit((typed) => resend.mutate(typed))}
    >
      <Field
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="off"
        required
        {...form.register('recipient')}
        error={form.formState.errors.recipient?.message}
      />
      <Button
        type="submit"
        variant="quiet"
        // aligned with the input, below its label
        className="@xl:mt-7 @xl:self-start"
        loading={resend.isPending}
        loadingText="sending"
      >
        Send again
      </Button>
    </Form>
  )
}

function SendAgain({ mail }: Props) {
  const resend = useResend(mail._id)
  return (
    <RowButton
      busy={resend.isPending}
      aria-label={`Send now: ${mail.subject} to ${mail.recipient}`}
      onClick={() => resend.mutate({})}
    >
      {mail.givenUpAt ? 'Send again' : 'Send now'}
    </RowButton>
  )
}

function Dismiss({ mail }: Props) {
  const dismiss = useDismiss(mail._id)
  return (
    <RowButton
      busy={dismiss.isPending}
      aria-label={`Dismiss: ${mail.subject} to ${mail.recipient}`}
      onClick={() => dismiss.mutate()}
    >
      Dismiss
    </RowButton>
  )
}

function whenTried({ attempts, givenUpAt, nextAttemptAt }: UnsentMail): string {
  const tries = counted(attempts, 'try', 'tries')
  if (givenUpAt) return `given up ${shortMoment(givenUpAt)} after ${tries}`
  if (attempts === 0 || !nextAttemptAt) return 'about to be sent'
  return `${tries}, the next ${shortMoment(nextAttemptAt)}`
}

/** An unsent mail: what it is, why it failed, and the possible actions. */
export function UnsentMailCard({ mail }: Props) {
  const { subject, recipient, orderId, error, createdAt, givenUpAt } = mail
  const card = useFocusFallback<HTMLLIElement>()
  const isCorrectable = error !== null && orderId !== null
  return (
    <li
      ref={card}
      className="card grid grid-cols-1 gap-x-6 gap-y-3.5 px-5 py-4.5 @xl:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div className="grid min-w-0 gap-1">
        <h3 className="font-semibold text-pretty">{subject}</h3>
        <p className="wrap-anywhere">
          to {recipient}
          {orderId && (
            <>
              {' · '}
              <Link to={`/dashboard/order/${orderId}`} className="link">
                its order
              </Link>
            </>
          )}
        </p>
        {error && <p className="wrap-anywhere text-danger text-sm">{error}</p>}
        <p className="figure text-dim text-xs">
          written {shortMoment(createdAt)} · {whenTried(mail)}
        </p>
      </div>
      <div className="flex items-start gap-2 empty:hidden">
        {!isCorrectable && error && <SendAgain mail={mail} />}
        {givenUpAt && <Dismiss mail={mail} />}
      </div>
      {isCorrectable && <CorrectForm key={recipient} mail={mail} />}
    </li>
  )
}
