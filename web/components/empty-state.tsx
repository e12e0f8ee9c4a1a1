import type { ReactNode } from 'react'

/** What will be here one day, and the one thing to do about it. */
export function EmptyState(props: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="state">
      <h2 className="font-display text-2xl font-semibold">{props.title}</h2>
      {props.children && <div className="mt-2 max-w-[52ch] text-dim">{props.children}</div>}
      {props.action && <div className="mt-6">{props.action}</div>}
    </div>
  )
}
