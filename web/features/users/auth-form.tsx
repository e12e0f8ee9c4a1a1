import type { ReactNode } from 'react'

type AuthCardProps = {
  title: string
  children: ReactNode
  /** What stands beside the card on a wide screen. */
  beside?: ReactNode
}

/** The card that the account screens are. `title` is the page's heading. */
export function AuthCard({ title, children, beside }: AuthCardProps) {
  return (
    <div
      className={`column grid gap-6 py-10 md:py-16 ${beside ? 'lg:grid-cols-[minmax(0,30rem)_minmax(0,1fr)]' : 'grid-cols-[minmax(0,30rem)] justify-center'}`}
    >
      <div className="card w-full max-w-[30rem] justify-self-center p-6 sm:p-9 lg:max-w-none">
        <h1 className="text-4xl font-bold tracking-tight">{title}</h1>
        {children}
      </div>
      {beside}
    </div>
  )
}
