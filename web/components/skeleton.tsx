/** A grey placeholder; `className` gives it the size of the content to come. Shows after 200 ms. */
export function Skeleton({ className }: { className: string }) {
  return <div className={`skeleton ${className}`} aria-hidden="true" />
}
