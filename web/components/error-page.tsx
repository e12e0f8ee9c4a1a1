import { isRouteErrorResponse } from 'react-router'
import { Button, ButtonLink } from './button.tsx'

/** The page for unknown URLs. */
export function NotFound() {
  return (
    <div className="column grid items-center gap-10 py-16 md:grid-cols-2 md:py-24">
      <div>
        <p className="font-mono text-sm text-copper">404</p>
        <h1 className="mt-3 text-4xl font-bold tracking-tight md:text-5xl">Error Not found</h1>
        <p className="mt-5 max-w-[44ch] text-lg text-dim">
          Nothing is plugged in at this address. The link may be old, or a letter may be missing.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <ButtonLink to="/">Go to the home page</ButtonLink>
          <ButtonLink to="/#parts" variant="quiet">
            See the parts
          </ButtonLink>
        </div>
      </div>
      <img
        src="/not-found.svg"
        alt="A board with an empty socket, its plug hanging loose beside it"
        width={640}
        height={480}
        className="w-full"
      />
    </div>
  )
}

type Problem = { message?: unknown; requestId?: unknown } | null

/**
 * The page for unexpected errors: what happened, what to do, and the request id if there is one.
 */
export function ErrorPage({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  const problem: Problem = isRouteErrorResponse(error) ? error.data : null
  const message = typeof problem?.message === 'string' ? problem.message : null
  const requestId = typeof problem?.requestId === 'string' ? problem.requestId : null
  return (
    <div className="column py-20">
      <h1 className="text-4xl font-bold tracking-tight">Something went wrong</h1>
      <p className="mt-5 max-w-[56ch] text-lg text-dim">
        {message ?? 'We couldn’t show this page. That’s our fault, and nothing of yours is lost.'}{' '}
        Try loading the page again. If that doesn’t help, start from the home page.
      </p>
      {requestId && <p className="mt-4 font-mono text-sm text-dim">Request {requestId}</p>}
      <div className="mt-8 flex flex-wrap gap-3">
        <Button onClick={() => location.reload()}>Reload</Button>
        <ButtonLink to="/" variant="quiet" reloadDocument>
          Go to the home page
        </ButtonLink>
      </div>
    </div>
  )
}
