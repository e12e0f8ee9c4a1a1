import { useEffect, useState } from 'react'
import { serverTime } from './server-clock.ts'

/**
 * The server's time in ms since 1970, updated once a second while `ticking`. One call serves every
 * countdown of a screen.
 */
export function useNow(ticking: boolean): number {
  const [now, setNow] = useState(serverTime)
  useEffect(() => {
    if (!ticking) return
    setNow(serverTime())
    const timer = setInterval(() => setNow(serverTime()), 1000)
    return () => clearInterval(timer)
  }, [ticking])
  return now
}
