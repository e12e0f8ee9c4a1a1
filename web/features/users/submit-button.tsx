import type { ReactNode } from 'react'
import { Button } from '#web/components/button.tsx'

type SubmitButtonProps = {
  /** Any authentication action is under way: the button says 'loading'. */
  busy: boolean
  children: ReactNode
}

/** Sends an account screen's form. */
export function SubmitButton({ busy, children }: SubmitButtonProps) {
  return (
    <>
      <Button type="submit" className="mt-2 w-full" loading={busy}>
        {children}
      </Button>
      {/* a busy button's new text is not read out */}
      <span role="status" className="sr-only">
        {busy && 'Please wait'}
      </span>
    </>
  )
}
