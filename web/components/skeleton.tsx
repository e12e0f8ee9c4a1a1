/** A grey stand-in of the same size as what is coming; give it that size by `className`. Shows after 200 ms. */
export function Skeleton({ className }: { className: string }) {
  return <div className={`skeleton ${className}`} aria-hidden="true" />
}
