/** Says that something is being waited for; `page` fills the height of a page so that the footer stays down. */
export function Spinner({ label = 'Loading', page = false }: { label?: string; page?: boolean }) {
  return (
    <div role="status" className={page ? 'grid min-h-dvh place-items-center' : 'inline-grid'}>
      <span className="spinner" aria-hidden="true" />
      <span className="sr-only">{label}</span>
    </div>
  )
}
