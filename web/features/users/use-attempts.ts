import { useCallback, useState } from 'react'

export type Attempts = {
  /** Whether something is under way. */
  busy: boolean
  /** What went wrong last; gone when something new begins. */
  error: Error | null
  setError: (error: Error | null) => void
  /** Waits for what was begun just now. */
  attempt: (action: Promise<void>) => Promise<void>
}

/** The authentication actions of one screen. Several may be under way: a second popup may open before the first has ended. */
export function useAttempts(before: Error | null = null): Attempts {
  const [running, setRunning] = useState(0)
  const [error, setError] = useState(before)
  const attempt = useCallback(async (action: Promise<void>) => {
    setError(null)
    setRunning((count) => count + 1)
    try {
      await action
    } catch (error) {
      setError(error as Error)
    } finally {
      setRunning((count) => count - 1)
    }
  }, [])
  return { busy: running > 0, error, setError, attempt }
}
