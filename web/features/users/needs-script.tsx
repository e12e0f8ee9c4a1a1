import type { ReactNode } from 'react'

/** What can not work without JavaScript, not there without it; `otherwise` says so in its place. */
export function NeedsScript({ otherwise, children }: { otherwise: string; children: ReactNode }) {
  return (
    <>
      <noscript>
        <p className="mt-5">{otherwise}</p>
      </noscript>
      <div className="needs-script">{children}</div>
    </>
  )
}
