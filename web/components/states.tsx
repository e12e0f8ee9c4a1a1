import type { ReactNode } from 'react'
import { Button } from './button.tsx'

type EmptyStateProps = {
  title: string
  /** `h1` if the state fills the whole page. */
  heading?: 'h1' | 'h2'
  children?: ReactNode
  action?: ReactNode
}

/** What will appear here, and the one action that leads there. */
export function EmptyState({ heading: Heading = 'h2', ...props }: EmptyStateProps) {
  return (
    <div className="state">
      <Heading className="font-display text-2xl font-semibold">{props.title}</Heading>
      {props.children && <div className="mt-2 max-w-[52ch] text-dim">{props.children}</div>}
      {props.action && <div className="mt-6">{props.action}</div>}
    </div>
  )
}

type ErrorStateProps = {
  message: string
  /** Shown in small print, so that the visitor can quote it to the shop. */
  requestId?: string
  onRetry?: () => void
  retrying?: boolean
}

/** The error message and a retry button. */
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

/**
 * A grey placeholder; `className` gives it the size of the expected content. It appears after 200
 * ms.
 */
export function Skeleton({ className }: { className: string }) {
  return <div className={`skeleton ${className}`} aria-hidden="true" />
}

/** A loading indicator; `page` makes it fill the page, which keeps the footer down. */
export function Spinner({ label = 'Loading', page = false }: { label?: string; page?: boolean }) {
  return (
    <div role="status" className={page ? 'grid min-h-dvh place-items-center' : 'inline-grid'}>
      <span className="spinner" aria-hidden="true" />
      <span className="sr-only">{label}</span>
    </div>
  )
}
