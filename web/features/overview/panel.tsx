import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'

type PanelProps = {
  title: string
  /** Shown beside the title. */
  aside?: ReactNode
  children: ReactNode
  /** A link to the full list. */
  more?: { to: string; text: string } | undefined
  className?: string
}

/** One subject of the overview: a card with a heading and a link to the full list. */
export function Panel({ title, aside, children, more, className = '' }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`card flex min-w-0 flex-col px-6 py-5 ${className}`}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 pb-3">
        <h2 id={id} className="font-display font-semibold text-xl tracking-tight">
          {title}
        </h2>
        {aside && <p className="label text-right">{aside}</p>}
      </div>
      {children}
      {more && (
        <PanelFoot>
          <Link to={more.to} className="link inline-flex min-h-6 items-center">
            {more.text}
          </Link>
        </PanelFoot>
      )}
    </section>
  )
}

/** The links at the end of a panel, to the full lists. */
export function PanelFoot({ children }: { children: ReactNode }) {
  return (
    <p className="mt-auto flex flex-wrap gap-x-6 gap-y-1 border-line border-t pt-3.5 text-[0.9375rem]">
      {children}
    </p>
  )
}

type RowProps = { to: string; name: string; detail: ReactNode; children: ReactNode }

/** A row of a panel's list: its linked name and its figure. */
export function PanelRow({ to, name, detail, children }: RowProps) {
  return (
    <li className="flex items-center justify-between gap-4 border-line border-t py-2.5">
      <div className="min-w-0">
        <Link
          to={to}
          className="line-clamp-2 font-semibold leading-[1.4] underline-offset-3 hover:text-copper hover:underline"
        >
          {name}
        </Link>
        <p className="truncate text-dim text-sm">{detail}</p>
      </div>
      <div className="flex-none text-end font-mono text-sm/[1.35] tabular-nums">{children}</div>
    </li>
  )
}

/** The text of an empty list. */
export function NothingHere({ children }: { children: ReactNode }) {
  return <p className="border-line border-t py-4 text-dim">{children}</p>
}
