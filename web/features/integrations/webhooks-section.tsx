import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { counted } from '#contracts/counted.ts'
import {
  type Endpoint,
  endpointsLimit,
  type Message,
  NewEndpoint,
  webhookEvents,
} from '#contracts/webhooks.ts'
import { Button } from '#web/components/button.tsx'
import { ConfirmDialog, FormDialog } from '#web/components/dialogs.tsx'
import { Field } from '#web/components/field.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { ShownOnce } from '#web/components/shown-once.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { shortMoment } from '#web/lib/moments.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { Checks } from './checks.tsx'
import {
  messagesQuery,
  useAddWebhook,
  useChangeWebhook,
  useDeleteWebhook,
  useNewSecret,
  useSendAgain,
  useSwitchWebhook,
  useTestWebhook,
  webhooksQuery,
} from './queries.ts'

type DialogProps = {
  title: string
  confirmText: string
  start: NewEndpoint
  busy: boolean
  error: string | undefined
  onSubmit: (input: NewEndpoint) => void
  onCancel: () => void
}

function WebhookDialog({ start, onSubmit, ...dialog }: DialogProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(NewEndpoint),
    mode: 'onTouched',
    defaultValues: start,
  })
  const { errors } = formState
  return (
    <FormDialog
      {...dialog}
      about="Your shop sends a message to this address when one of these happens."
      busyText="saving"
      onSubmit={handleSubmit(onSubmit)}
    >
      <Field
        label="URL"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://warehouse.example/hooks"
        required
        {...register('url')}
        error={errors.url?.message}
      />
      <Checks
        legend="Events"
        choices={webhookEvents}
        {...register('events')}
        error={errors.events?.message}
      />
    </FormDialog>
  )
}

function whatBecame({ deliveredAt, givenUpAt, nextAttemptAt, attempts, error }: Message): string {
  const tries = counted(attempts, 'try', 'tries')
  if (deliveredAt) return `arrived ${shortMoment(deliveredAt)}, ${tries}`
  if (givenUpAt) return `given up after ${tries}. ${error ?? ''}`
  if (!error) return 'waiting to be sent'
  return `${tries}. ${error} The next ${shortMoment(nextAttemptAt ?? '')}`
}

function MessageRow({ message }: { message: Message }) {
  const again = useSendAgain(message._id)
  const { type, order, ticket, createdAt, deliveredAt, error } = message
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-line border-b py-2">
      <p className="min-w-0 wrap-anywhere text-sm">
        <b className="font-semibold">{type}</b>
        {ticket && (
          <>
            {' · '}
            <Link to={`/dashboard/ticket/${ticket._id}`} className="link">
              {ticket.number}
            </Link>
          </>
        )}
        {order && (
          <>
            {' · '}
            <Link to={`/dashboard/order/${order._id}`} className="link">
              {order.number}
            </Link>
          </>
        )}
        <span className="block text-dim">
          {shortMoment(createdAt)} · {whatBecame(message)}
        </span>
      </p>
      {(deliveredAt || error) && (
        <RowButton
          busy={again.isPending}
          aria-label={`Send again: ${type} ${order?.number ?? ticket?.number ?? ''}`}
          onClick={() => again.mutate(undefined)}
        >
          Send again
        </RowButton>
      )}
    </li>
  )
}

function Messages({ id }: { id: string }) {
  const { data, error, refetch, isFetching } = useQuery(messagesQuery(id))
  if (!data) {
    if (!error) return <Skeleton className="h-24" />
    return <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
  }
  if (data.length === 0) return <p className="text-dim text-sm">No messages yet.</p>
  return (
    <ul aria-label="Messages" className="border-line border-t">
      {data.map((message) => (
        <MessageRow key={message._id} message={message} />
      ))}
    </ul>
  )
}

function stateOf({ disabledAt, disabledWhy, failingSince, waiting }: Endpoint): string {
  if (disabledAt)
    return `Off since ${shortMoment(disabledAt)}${disabledWhy ? `: ${disabledWhy}` : '.'}`
  const waits = waiting > 0 ? ` ${counted(waiting, 'message waits', 'messages wait')}.` : ''
  return failingSince
    ? `Not accepting messages since ${shortMoment(failingSince)}.${waits}`
    : `On.${waits}`
}

type CardProps = { webhook: Endpoint; onSecret: (secret: string) => void; onDelete: () => void }

function WebhookCard({ webhook, onSecret, onDelete }: CardProps) {
  const { _id, url, events, disabledAt, failingSince } = webhook
  const [isChanging, setChanging] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const change = useChangeWebhook(_id)
  const turn = useSwitchWebhook(_id)
  const secret = useNewSecret(_id)
  const test = useTestWebhook(_id)
  const isOff = disabledAt !== null
  return (
    <li className="card grid gap-3 px-5 py-4.5">
      <div className="grid min-w-0 gap-1">
        <h3 className="wrap-anywhere font-semibold">{url}</h3>
        <p className="wrap-anywhere text-sm">{events.join(', ')}</p>
        <p className={`text-sm ${isOff || failingSince ? 'text-danger' : 'text-dim'}`}>
          {stateOf(webhook)}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <RowButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Messages
        </RowButton>
        <RowButton busy={test.isPending} onClick={() => test.mutate(undefined)}>
          Send a test
        </RowButton>
        <RowButton onClick={() => setChanging(true)}>Change</RowButton>
        <RowButton busy={turn.isPending} onClick={() => turn.mutate({ url, events, isOn: isOff })}>
          {isOff ? 'Turn on' : 'Turn off'}
        </RowButton>
        <RowButton
          busy={secret.isPending}
          onClick={() =>
            secret.mutate(undefined, { onSuccess: (answer) => onSecret(answer.secret) })
          }
        >
          New secret
        </RowButton>
        <RowButton onClick={onDelete}>Delete</RowButton>
      </div>
      {isOpen && <Messages id={_id} />}
      {isChanging && (
        <WebhookDialog
          title="Edit webhook"
          confirmText="Save"
          start={{ url, events }}
          busy={change.isPending}
          error={change.error?.message}
          onSubmit={(input) =>
            change.mutate({ ...input, isOn: !isOff }, { onSuccess: () => setChanging(false) })
          }
          onCancel={() => setChanging(false)}
        />
      )}
    </li>
  )
}

type ShownSecret = { url: string; secret: string }

/** The URLs that receive order events. */
export function WebhooksSection() {
  const { data, error, refetch, isFetching } = useQuery(webhooksQuery)
  const leaving = useSignedOutUnlessAdmin(error)
  const add = useAddWebhook()
  const remove = useDeleteWebhook()
  const [isAdding, setAdding] = useState(false)
  const [shownSecret, setShownSecret] = useState<ShownSecret | null>(null)
  const [confirming, setConfirming] = useState<Endpoint | null>(null)
  const isFull = (data?.length ?? 0) >= endpointsLimit
  return (
    <section aria-labelledby="webhooks" className="mt-12">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="webhooks" className="font-display font-semibold text-xl tracking-tight">
          Webhooks
        </h2>
        {!isFull && (
          <Button variant="quiet" onClick={() => setAdding(true)}>
            Add a webhook
          </Button>
        )}
      </div>
      {shownSecret && (
        <ShownOnce
          key={shownSecret.secret}
          title={`Secret for ${shownSecret.url}`}
          secret={shownSecret.secret}
          onDone={() => setShownSecret(null)}
        />
      )}
      {!data && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="mt-4 h-32" />}
      {data?.length === 0 && <p className="mt-3 text-dim">No webhooks yet.</p>}
      <ul className="mt-4 grid gap-3">
        {data?.map((webhook) => (
          <WebhookCard
            key={webhook._id}
            webhook={webhook}
            onSecret={(secret) => setShownSecret({ url: webhook.url, secret })}
            onDelete={() => setConfirming(webhook)}
          />
        ))}
      </ul>
      {isAdding && (
        <WebhookDialog
          title="Add a webhook"
          confirmText="Add webhook"
          start={{ url: '', events: [] }}
          busy={add.isPending}
          error={add.error?.message}
          onSubmit={(input) =>
            add.mutate(input, {
              onSuccess: ({ secret }) => {
                setAdding(false)
                setShownSecret({ url: input.url, secret })
              },
            })
          }
          onCancel={() => setAdding(false)}
        />
      )}
      <ConfirmDialog
        open={confirming !== null}
        title="Delete this webhook?"
        busy={remove.isPending}
        onCancel={() => setConfirming(null)}
        onConfirm={() =>
          confirming && remove.mutate(confirming._id, { onSuccess: () => setConfirming(null) })
        }
      >
        Its messages will be deleted too, including any still waiting.
      </ConfirmDialog>
    </section>
  )
}
