import type { ReactNode } from 'react'

/** The card that the account screens are. `title` is the page's heading. */
export function AuthCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="column grid justify-items-center py-10 md:py-16">
      <div className="card w-full max-w-[28rem] p-6 sm:p-9">
        <h1 className="text-4xl font-bold tracking-tight">{title}</h1>
        {children}
      </div>
    </div>
  )
}

/** What the provider said, in red under the form. */
export function FormError({ error }: { error: Error | null }) {
  return (
    <p role="alert" className="min-h-6 text-danger">
      {error?.message}
    </p>
  )
}
