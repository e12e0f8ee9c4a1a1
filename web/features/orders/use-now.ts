import { useEffect, useState } from 'react'
import { serverNow } from '#web/lib/server-clock.ts'

/** The server's time in ms since 1970, moving once a second while `ticking`. One of these serves every countdown of a screen. */
export function useNow(ticking: boolean): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    if (!ticking) return
    setNow(serverNow())
    const timer = setInterval(() => setNow(serverNow()), 1000)
    return () => clearInterval(timer)
  }, [ticking])
  return now
}
