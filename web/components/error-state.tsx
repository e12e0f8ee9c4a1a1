import { Button } from './button.tsx'

type ErrorStateProps = {
  message: string
  /** Shown small, so that the visitor can quote it to the shop. */
  requestId?: string
  onRetry?: () => void
  retrying?: boolean
}

/** What went wrong and a way to try again. */
export function ErrorState({ message, requestId, onRetry, retrying }: ErrorStateProps) {
  return (
    <div className="state" role="alert">
      <p className="max-w-[52ch]">{message}</p>
      {requestId && <p className="mt-2 font-mono text-xs text-dim">Request {requestId}</p>}
      {onRetry && (
        <Button variant="quiet" className="mt-6" loading={retrying} onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  )
}
