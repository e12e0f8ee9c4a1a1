import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '#web/components/error-state.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { useSignedOutUnlessAdmin } from '#web/lib/use-signed-out-unless-admin.ts'
import { roleQuery } from './role-query.ts'

type Props = { email: string; children: ReactNode }

/**
 * Lets only admins in; others are signed out. Rights may be gone at any time, so they are asked for again at every
 * entry and when the tab is looked at again. A lookup that fails says so and signs nobody out.
 */
export function AdminGate({ email, children }: Props) {
  const { data, error, isFetching, refetch } = useQuery({
    ...roleQuery(email),
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })
  // what was known before may be old: a customer who became an admin a minute ago may come in
  const leaving = useSignedOutUnlessAdmin(error, isFetching ? undefined : data)
  if (data && !leaving) return children
  if (error && !leaving && !isFetching) {
    return (
      <ErrorState
        message={`Your rights could not be checked. ${error.message}`}
        onRetry={() => refetch()}
      />
    )
  }
  return <Spinner label="Checking your rights" page />
}
