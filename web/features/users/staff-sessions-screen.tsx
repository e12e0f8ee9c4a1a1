import { useQuery } from '@tanstack/react-query'
import { deviceText } from '#contracts/account.ts'
import type { StaffSession } from '#contracts/staff.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmailText } from '#web/components/email-text.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { staffSessionsQuery, useEndStaffSession } from './admin-queries.ts'
import { SessionRow } from './sessions-section.tsx'

export const meta = titled('Who’s logged in')

function Who({ session }: { session: StaffSession }) {
  const { name, email, role, network } = session
  return (
    <p className="wrap-anywhere text-sm">
      {name}, <EmailText email={email} /> <span className="tag">{role}</span>
      {network && <span className="text-dim"> from {network}</span>}
    </p>
  )
}

function Sessions({ sessions }: { sessions: StaffSession[] }) {
  const ending = useEndStaffSession()
  const end = (session: StaffSession) =>
    ending.mutate(session, {
      onSuccess: () => toast('success', `${session.name} is logged out on ${deviceText(session)}`),
      onError: (problem) => toast('error', problem.message),
    })
  return (
    <ul className="card px-6 py-2 sm:px-8">
      {sessions.map((session) => (
        <SessionRow
          key={session._id}
          session={session}
          who={<Who session={session} />}
          busy={ending.isPending && ending.variables._id === session._id}
          onEnd={() => end(session)}
        />
      ))}
    </ul>
  )
}

/** The sessions of all admins and packers, each with a button to end it. */
export default function StaffSessionsScreen() {
  const { data, error, refetch, isFetching } = useQuery(staffSessionsQuery)
  const leaving = useSignedOutUnlessAdmin(error)
  return (
    <section aria-labelledby="staff-sessions">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 id="staff-sessions" tabIndex={-1} className="text-4xl font-bold tracking-tight">
          Who’s logged in
        </h1>
        <ButtonLink to="/dashboard/users" variant="quiet" className="button-small">
          Manage all users
        </ButtonLink>
      </div>
      <p className="mt-2 mb-6 max-w-[56ch] text-dim">
        Devices of all admins and packers. If no one recognizes one, log it out and have its user
        change their password.
      </p>
      {!data && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="h-64" />}
      {data?.length === 0 && (
        <EmptyState title="No devices to list">
          Firebase keeps the logins and doesn’t list them.
        </EmptyState>
      )}
      {data && data.length > 0 && <Sessions sessions={data} />}
    </section>
  )
}
