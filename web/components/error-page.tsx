import { isRouteErrorResponse } from 'react-router'
import { Button, ButtonLink } from './button.tsx'
import { NotFound } from './not-found.tsx'

type Problem = { message?: unknown; requestId?: unknown } | null

/** What an unexpected failure says: what happened, what to do, and the request id if there is one. */
export function ErrorPage({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  const problem: Problem = isRouteErrorResponse(error) ? error.data : null
  const message = typeof problem?.message === 'string' ? problem.message : null
  const requestId = typeof problem?.requestId === 'string' ? problem.requestId : null
  return (
    <div className="column py-20">
      <h1 className="text-5xl font-bold tracking-tight">Something went wrong</h1>
      <p className="mt-5 max-w-[56ch] text-lg text-dim">
        {message ?? 'This page could not be shown. It is our fault, and nothing of yours is lost.'}{' '}
        Load the page again; if that does not help, go on from the home page.
      </p>
      {requestId && <p className="mt-4 font-mono text-sm text-dim">Request {requestId}</p>}
      <div className="mt-8 flex flex-wrap gap-3">
        <Button onClick={() => location.reload()}>Load again</Button>
        <ButtonLink to="/" variant="quiet" reloadDocument>
          To the home page
        </ButtonLink>
      </div>
    </div>
  )
}
