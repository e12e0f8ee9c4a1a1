import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { counted, whole } from '#contracts/counted.ts'
import type { MailStatus } from '#contracts/mail.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { shortMoment } from '#web/lib/moments.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { mailQuery, useTestMail } from './queries.ts'
import { UnsentMailCard } from './unsent-mail-card.tsx'

export const meta = titled('Mail')

function LastReconciliation({ last }: { last: MailStatus['lastReconciliation'] }) {
  if (!last) return 'not yet'
  return (
    <>
      <time dateTime={last.at}>{shortMoment(last.at)}</time>,{' '}
      {last.issues === 0 ? (
        'everything matched'
      ) : (
        <Link to="/dashboard/money" className="link">
          {counted(last.issues, 'issue')}
        </Link>
      )}
    </>
  )
}

function LastBackup({ last }: { last: MailStatus['lastBackup'] }) {
  return last ? (
    <time dateTime={last.at}>{shortMoment(last.at)}</time>
  ) : (
    'none that we know of (npm run backup)'
  )
}

function Facts({ status }: { status: MailStatus }) {
  const { sender, ownerMail, lastReconciliation, lastBackup } = status
  const leaves =
    sender.type === 'smtp'
      ? `by ${sender.where}, as ${sender.from}`
      : `not at all: SMTP_URL isn’t set. Emails are saved as files in ${sender.where}`
  const rows: [string, ReactNode][] = [
    ['Mail is sent', leaves],
    ['Alerts go to', ownerMail ?? 'no address: set OWNER_MAIL'],
    [
      'Last reconciliation with the card provider',
      <LastReconciliation key="at" last={lastReconciliation} />,
    ],
    ['Last backup', <LastBackup key="at" last={lastBackup} />],
  ]
  return (
    <dl className="mt-4 border-line border-t">
      {rows.map(([name, value]) => (
        <div
          key={name}
          className="grid gap-x-6 gap-y-0.5 border-line border-b py-2.5 @xl:grid-cols-[19rem_minmax(0,1fr)]"
        >
          <dt className="text-dim">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type ListProps = { title: string; list: MailStatus['waiting']; empty: string; about: string }

function UnsentList({ title, list, empty, about }: ListProps) {
  const left = list.total - list.rows.length
  return (
    <section aria-label={title} className="mt-10">
      <h2 className="font-display font-semibold text-xl tracking-tight">
        {title} <span className="figure font-normal text-dim text-sm">{whole(list.total)}</span>
      </h2>
      <p className="mt-1 max-w-[68ch] text-pretty text-dim text-sm">
        {list.total === 0 ? empty : about}
      </p>
      <ul className="mt-3 grid gap-3">
        {list.rows.map((mail) => (
          <UnsentMailCard key={mail._id} mail={mail} />
        ))}
      </ul>
      {left > 0 && <p className="mt-3 text-dim text-sm">and {whole(left)} more</p>}
    </section>
  )
}

function Status({ status }: { status: MailStatus }) {
  return (
    <>
      <Facts status={status} />
      <UnsentList
        title="Given up"
        list={status.givenUp}
        empty="We haven’t given up on any."
        about="The mail server rejected the address for good, or we tried for five days without success. Correct the address and send again, or dismiss it."
      />
      <UnsentList
        title="Waiting"
        list={status.waiting}
        empty="No mail is waiting."
        about="We keep retrying these for five days."
      />
    </>
  )
}

/** The state of the shop's mail, and the unsent mails. */
export default function MailScreen() {
  const { data, error, refetch, isFetching } = useQuery(mailQuery())
  const leaving = useSignedOutUnlessAdmin(error)
  const test = useTestMail()
  return (
    <section aria-labelledby="mail" className="@container min-h-svh">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <h1 id="mail" tabIndex={-1} className="text-4xl font-bold tracking-tight">
            Mail
          </h1>
          <p className="mt-2 max-w-[56ch] text-pretty text-dim">
            How your shop sends mail, what couldn’t be sent, and when it was last reconciled and
            backed up.
          </p>
        </div>
        <Button
          className="min-w-52"
          variant="quiet"
          loading={test.isPending}
          loadingText="sending"
          onClick={() => test.mutate()}
        >
          Send me a test email
        </Button>
      </div>
      <p role="status" className="mt-3 min-h-6 text-pretty wrap-anywhere">
        {test.data?.outcome}
      </p>
      {!data && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="mt-8 h-96" />}
      {data && <Status status={data} />}
    </section>
  )
}
