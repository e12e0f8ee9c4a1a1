import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'

type PanelProps = {
  title: string
  /** Beside the title. */
  aside?: ReactNode
  children: ReactNode
  /** Where all of it is. */
  more?: { to: string; text: string } | undefined
  className?: string
}

/** One subject of the overview: a card with a heading, and a way to all of it. */
export function Panel({ title, aside, children, more, className = '' }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`panel ${className}`}>
      <div className="panel-head">
        <h2 id={id} className="font-display font-semibold text-xl tracking-tight">
          {title}
        </h2>
        {aside && <p className="label text-right">{aside}</p>}
      </div>
      {children}
      {more && (
        <p className="panel-foot">
          <Link to={more.to} className="link inline-flex min-h-6 items-center">
            {more.text}
          </Link>
        </p>
      )}
    </section>
  )
}

type RowProps = { to: string; name: string; detail: ReactNode; children: ReactNode }

/** A line of a panel's list: what it is and leads to, and its figure. */
export function PanelRow({ to, name, detail, children }: RowProps) {
  return (
    <li className="panel-row">
      <div className="min-w-0">
        <Link to={to} className="panel-link">
          {name}
        </Link>
        <p className="truncate text-dim text-sm">{detail}</p>
      </div>
      <div className="panel-figure">{children}</div>
    </li>
  )
}

/** The text of an empty list. */
export function NothingHere({ children }: { children: ReactNode }) {
  return <p className="panel-nothing">{children}</p>
}
