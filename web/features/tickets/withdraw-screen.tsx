import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { dayText } from '#contracts/dispatch.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { type TicketOpened, type WithdrawalOffer, WithdrawalRequest } from '#contracts/tickets.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { Skeleton } from '#web/components/states.tsx'
import { ApiError, api } from '#web/lib/api.ts'
import { shortMoment } from '#web/lib/moments.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useHydrated } from '#web/lib/use-hydrated.ts'
import { useShop } from '#web/lib/use-shop.ts'

export const meta = titled(
  'Withdraw from a purchase',
  'Withdraw from a purchase in two steps, without a login.',
)

export const handle: PageHandle = { keyInAddress: true }

const heading = 'mb-4 font-bold text-4xl tracking-tight'

/** Step 1: order number and address bring a link by mail, if they belong together. */
function AskForLink() {
  const { facts } = useShop()
  const [number, setNumber] = useState('')
  const [email, setEmail] = useState('')
  const [problems, setProblems] = useState<Record<string, string>>({})
  const ask = useMutation({
    mutationFn: async (json: { number: string; email: string }) => {
      await api.withdrawals.$post({ json })
    },
    onError: (refusal) =>
      setProblems(
        refusal instanceof ApiError && refusal.fields ? refusal.fields : { form: refusal.message },
      ),
  })
  function send(event: FormEvent) {
    event.preventDefault()
    const read = WithdrawalRequest.safeParse({ number, email })
    if (read.success) {
      setProblems({})
      ask.mutate(read.data)
    } else {
      setProblems(
        Object.fromEntries(
          read.error.issues.map(({ path, message }) => [String(path[0]), message]),
        ),
      )
    }
  }
  if (ask.isSuccess) {
    return (
      <>
        <h1 className={heading}>Look into your mail</h1>
        <p role="status">
          If an order with this number goes by this address, a mail with a link is on its way. The
          link leads to the second step: what you withdraw from.
        </p>
      </>
    )
  }
  return (
    <>
      <h1 className={heading}>Withdraw from a purchase</h1>
      <p className="mb-6 text-pretty">
        You can withdraw within {facts.returnDays} days after your order has arrived, without a
        reason and without a login. We send a link to the address of the order.
      </p>
      <Form onSubmit={send}>
        <Field
          label="Order number"
          hint="Like F-1042; it is in our mails"
          autoComplete="off"
          value={number}
          error={problems.number ?? ''}
          onChange={(event) => setNumber(event.target.value)}
        />
        <Field
          label="Email address of the order"
          type="email"
          autoComplete="email"
          value={email}
          error={problems.email ?? ''}
          onChange={(event) => setEmail(event.target.value)}
        />
        <p role="alert" className="text-danger">
          {problems.form}
        </p>
        <Button type="submit" className="mt-2" loading={ask.isPending}>
          Send me the link
        </Button>
      </Form>
    </>
  )
}

type ChooseProps = { offer: WithdrawalOffer; linkKey: string; onDone: (done: TicketOpened) => void }

/** Step 2: what is withdrawn, and the button that does it. */
function ChooseLines({ offer, linkKey, onDone }: ChooseProps) {
  const [units, setUnits] = useState<Record<string, string>>(() =>
    Object.fromEntries(offer.lines.map(({ orderId, quantity }) => [orderId, String(quantity)])),
  )
  const [problem, setProblem] = useState('')
  // sending the same again, after an answer that was lost, withdraws once
  const key = useRef<string>(null)
  const confirm = useMutation({
    mutationFn: async (lines: { orderId: string; quantity: number }[]) => {
      key.current ??= crypto.randomUUID()
      const headers = { 'Idempotency-Key': key.current }
      const json = { key: linkKey, lines }
      return (await api.withdrawals.confirm.$post({ json }, { headers })).json()
    },
    onSuccess: onDone,
    onError: (refusal) => setProblem(refusal.message),
  })
  function send(event: FormEvent) {
    event.preventDefault()
    if (confirm.isPending) return
    const lines = offer.lines
      .map(({ orderId }) => ({ orderId, quantity: Number(units[orderId] ?? 0) }))
      .filter(({ quantity }) => quantity !== 0)
    const isWhole = lines.every(({ quantity }) => Number.isInteger(quantity) && quantity > 0)
    if (!isWhole || lines.length === 0)
      return setProblem('Type how many of each product, at least one.')
    confirm.mutate(lines)
  }
  const open = offer.lines.filter(({ quantity }) => quantity > 0)
  return (
    <>
      <h1 className={heading}>Withdraw from the purchase</h1>
      {open.length === 0 ? (
        <p>You have withdrawn from all of it already, or it is refunded.</p>
      ) : (
        <Form onSubmit={send}>
          {offer.until && <p className="mb-4">You can do so until {dayText(offer.until)}.</p>}
          {open.map(({ orderId, number, product, quantity }) => (
            <Field
              key={orderId}
              label={`${product}, ${number}`}
              hint={`0 to ${quantity}`}
              inputMode="numeric"
              autoComplete="off"
              value={units[orderId] ?? ''}
              onChange={(event) => {
                key.current = null
                setUnits({ ...units, [orderId]: event.target.value })
              }}
            />
          ))}
          <p role="alert" className="mb-3 text-danger">
            {problem}
          </p>
          <Button type="submit" loading={confirm.isPending}>
            Confirm the withdrawal
          </Button>
        </Form>
      )}
    </>
  )
}

function Withdraw({ linkKey }: { linkKey: string }) {
  const [done, setDone] = useState<TicketOpened | null>(null)
  const { data: offer, error } = useQuery({
    queryKey: ['withdrawal', linkKey],
    queryFn: async () => (await api.withdrawals.read.$post({ json: { key: linkKey } })).json(),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (done) {
    return (
      <>
        <h1 className={heading}>We have received your withdrawal</h1>
        <p role="status">
          It has the number {done.number} and reached us on{' '}
          <time dateTime={done.at}>{shortMoment(done.at)}</time>. A mail confirms it, and says how
          it goes on.
        </p>
      </>
    )
  }
  if (error) {
    return (
      <>
        <h1 className={heading}>This link does not work</h1>
        <p className="mb-6">{error.message}</p>
        <ButtonLink to="/withdraw">Ask for another link</ButtonLink>
      </>
    )
  }
  if (!offer) return <Skeleton className="min-h-dvh w-full rounded-card" />
  return <ChooseLines offer={offer} linkKey={linkKey} onDone={setDone} />
}

/** Withdrawal in two steps, without a login; the link of the mail has its key behind the `#`. */
export default function WithdrawScreen() {
  const { hash } = useLocation()
  const isHydrated = useHydrated()
  const key = isHydrated ? hash.slice(1) : ''
  return (
    <div className="column max-w-[60ch] py-10 md:py-16">
      {key ? <Withdraw key={key} linkKey={key} /> : <AskForLink key="ask" />}
    </div>
  )
}
