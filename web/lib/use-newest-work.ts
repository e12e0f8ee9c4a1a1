import { useEffect, useRef } from 'react'

/**
 * Runs only the newest work: starting new work aborts the previous one, and leaving the screen
 * aborts everything.
 */
export function useNewestWork() {
  const current = useRef<AbortController>(null)
  useEffect(() => () => current.current?.abort(), [])
  return {
    begin(): AbortSignal {
      current.current?.abort()
      current.current = new AbortController()
      return current.current.signal
    },
    stop: () => current.current?.abort(),
  }
}
