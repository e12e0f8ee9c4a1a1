import { useEffect, useRef } from 'react'

/** Work of which only the newest goes on: what begins ends what was there, and leaving the screen ends all of it. */
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
