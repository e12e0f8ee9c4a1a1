import { useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { deviceText, type SessionInfo } from '#contracts/account.ts'
import { RowButton } from '#web/components/row-button.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { shortMoment } from '#web/lib/moments.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useShop } from '#web/lib/use-shop.ts'
import { sessionsQuery, useEndSessions } from './queries.ts'

type Props = {
  session: SessionInfo
  busy: boolean
  /** Whose session it is, and from where, in a list of several users. */
  who?: ReactNode
  onEnd: () => void
}

/** Kept on one line where there is room. */
const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} className="inline-block">
    {shortMoment(at)}
  </time>
)

/** One device: its description, when it was last active, and a button to end its session. */
export function SessionRow({ session, busy, who, onEnd }: Props) {
  const { current, handheld, lastSeenAt, signedInAt } = session
  const Icon = handheld ? Smartphone : Monitor
  const words = deviceText(session)
  return (
    <li
      className="grid grid-cols-[auto_1fr_auto] items-center gap-4 border-line py-4 not-first:border-t"
      aria-current={current || undefined}
    >
      <Icon aria-hidden="true" className={`size-6 ${current ? 'text-copper' : 'text-dim'}`} />
      <div className="min-w-0">
        <p className="font-semibold">{words}</p>
        {who}
        <p className="text-dim text-sm">
          {current ? (
            <>
              Logged in <Moment at={signedInAt} />
            </>
          ) : (
            <>
              Last seen <Moment at={lastSeenAt} />
            </>
          )}
        </p>
      </div>
      {current ? (
        <p className="whitespace-nowrap font-semibold text-[0.875rem] text-copper">This device</p>
      ) : (
        <RowButton
          busy={busy}
          aria-label={`Log out: ${words}, last seen ${shortMoment(lastSeenAt)}`}
          onClick={onEnd}
        >
          Log out
        </RowButton>
      )}
    </li>
  )
}

/** Ends sessions. The heading then gets the focus, because the button disappears. */
function useEnding(email: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [status, setStatus] = useState('')
  const ending = useEndSessions(email)
  useSignedOutBy(ending.error)
  function end(session: SessionInfo | null) {
    ending.mutate(session, {
      onSuccess: () => {
        setStatus(
          session
            ? `${deviceText(session)} has been logged out.`
            : 'All your other devices are logged out.',
        )
        heading.current?.focus()
      },
      onError: (problem) => void toast('error', problem.message),
    })
  }
  const underWay = ending.isPending ? ending.variables : undefined
  return { heading, status, end, underWay }
}

/** For a provider that does not list its users' sessions. */
function Unlisted() {
  return (
    <section aria-labelledby="signed-in">
      <h2 id="signed-in" className="text-2xl font-bold tracking-tight">
        Devices you’re logged in on
      </h2>
      <p className="mt-2 max-w-[56ch] text-dim">
        Firebase keeps your logins and doesn’t list them. To log out all your other devices, change
        your password.
      </p>
    </section>
  )
}

/** The user's sessions, each with a button to end it. */
export function SessionsSection({ email }: { email: string }) {
  return useShop().identity.firebase ? <Unlisted /> : <Sessions email={email} />
}

function Sessions({ email }: { email: string }) {
  const { data: sessions, error, refetch, isFetching } = useQuery(sessionsQuery(email))
  const leaving = useSignedOutBy(error)
  const { heading, status, end, underWay } = useEnding(email)
  const others = sessions?.some(({ current }) => !current)
  return (
    <section aria-labelledby="signed-in">
      <h2 ref={heading} id="signed-in" tabIndex={-1} className="text-2xl font-bold tracking-tight">
        Devices you’re logged in on
      </h2>
      <p className="mt-2 mb-4 max-w-[56ch] text-dim">
        Don’t recognize one? Log it out, then change your password.
      </p>
      {!sessions && error && !leaving ? (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      ) : (
        <div className="card px-6 py-2 sm:px-8" aria-busy={!sessions || undefined}>
          {sessions ? (
            <ul>
              {sessions.map((session) => (
                <SessionRow
                  key={session._id}
                  session={session}
                  busy={underWay?._id === session._id}
                  onEnd={() => end(session)}
                />
              ))}
            </ul>
          ) : (
            <Skeleton className="my-4 h-11" />
          )}
        </div>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        {others && (
          <RowButton busy={underWay === null} onClick={() => end(null)}>
            Log out all others
          </RowButton>
        )}
        {others === false && !status && (
          <p className="text-dim text-sm">You’re not logged in anywhere else.</p>
        )}
        <p role="status" className="text-dim text-sm">
          {status}
        </p>
      </div>
    </section>
  )
}
