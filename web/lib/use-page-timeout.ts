import { useEffect } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { toast } from './toast.ts'

/** Milliseconds after which a page whose script has not loaded is given up. */
const timeouts = 120_000

/** Limits the wait for a page: after two minutes the current one stays, and a message says why. */
export function usePageTimeout(): void {
  const isLoading = useNavigation().state === 'loading'
  const here = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (!isLoading) return
    const timer = setTimeout(() => {
      // going to where one is ends the way to anywhere else
      void navigate(here, { replace: true, preventScrollReset: true })
      void toast('error', 'This page could not be loaded. Check your connection and try again.')
    }, timeouts)
    return () => clearTimeout(timer)
  }, [isLoading, here, navigate])
}
