import { useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { Spinner } from '#web/components/states.tsx'
import { endedByChoice, useSession } from '#web/lib/session/session.ts'

/** Pages that need a login: visitors are sent to /login, which returns here. */
export default function RequireLogin() {
  const { status } = useSession()
  const { pathname, search } = useLocation()
  const [wasInside, setWasInside] = useState(false)
  if (status === 'user' && !wasInside) setWasInside(true)
  if (status === 'unknown') {
    return (
      <>
        <noscript>
          <p className="column py-16">
            This page needs JavaScript. Turn it on for this shop and reload the page.
          </p>
        </noscript>
        <div className="needs-script">
          <Spinner label="Checking your login" page />
        </div>
      </>
    )
  }
  if (status === 'visitor') {
    // a user who logs out here need not return; a visitor who opens this page wants to
    const state =
      wasInside && endedByChoice() ? null : { from: pathname + search, ended: wasInside }
    return <Navigate to="/login" replace state={state} />
  }
  return <Outlet />
}
