import type { ReactNode } from 'react'
import { Button } from '#web/components/button.tsx'

type SubmitButtonProps = {
  /** Any authentication action is under way: the button says 'loading'. */
  busy: boolean
  /** False until the scripts run. */
  ready: boolean
  children: ReactNode
}

/** Sends an account screen's form. */
export function SubmitButton({ busy, ready, children }: SubmitButtonProps) {
  return (
    <>
      <Button type="submit" className="mt-2 w-full" ready={ready} loading={busy}>
        {children}
      </Button>
      {/* a disabled button's new text is not read out */}
      <span role="status" className="sr-only">
        {busy && 'Please wait'}
      </span>
    </>
  )
}
