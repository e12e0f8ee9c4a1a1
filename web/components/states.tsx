import type { ReactNode } from 'react'

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
