import type { ReactNode } from 'react'
import { Button } from './button.tsx'

type EmptyStateProps = {
  title: string
  /** `h1` where this is the whole page. */
  heading?: 'h1' | 'h2'
  children?: ReactNode
  action?: ReactNode
}

/** What will be here one day, and the one thing to do about it. */
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

/** A grey placeholder; `className` gives it the size of the content to come. Shows after 200 ms. */
export function Skeleton({ className }: { className: string }) {
  return <div className={`skeleton ${className}`} aria-hidden="true" />
}

/** Says that something is being waited for; `page` fills the height of a page so that the footer stays down. */
export function Spinner({ label = 'Loading', page = false }: { label?: string; page?: boolean }) {
  return (
    <div role="status" className={page ? 'grid min-h-dvh place-items-center' : 'inline-grid'}>
      <span className="spinner" aria-hidden="true" />
      <span className="sr-only">{label}</span>
    </div>
  )
}
