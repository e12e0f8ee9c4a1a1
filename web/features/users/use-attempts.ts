import { useCallback, useState } from 'react'

export type Attempts = {
  /** Whether something is under way. */
  busy: boolean
  /** What went wrong last; gone when something new begins. */
  trouble: Error | null
  setTrouble: (trouble: Error | null) => void
  /** Waits for what was begun just now. */
  attempt: (deed: Promise<void>) => Promise<void>
}

/** The authentication actions of one screen. Several may be under way: a second popup opens before the first is told. */
export function useAttempts(before: Error | null = null): Attempts {
  const [running, setRunning] = useState(0)
  const [trouble, setTrouble] = useState(before)
  const attempt = useCallback(async (deed: Promise<void>) => {
    setTrouble(null)
    setRunning((count) => count + 1)
    try {
      await deed
    } catch (error) {
      setTrouble(error as Error)
    } finally {
      setRunning((count) => count - 1)
    }
  }, [])
  return { busy: running > 0, trouble, setTrouble, attempt }
}
