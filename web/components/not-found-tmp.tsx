import { ButtonLink } from './button.tsx'

/** For addresses that lead nowhere. */
export function NotFound() {
  return (
    <div className="column grid items-center gap-10 py-16 md:grid-cols-2 md:py-24">
      <div>
        <p className="font-mono text-sm text-copper">404</p>
        <h1 className="mt-3 text-5xl font-bold tracking-tight md:text-6xl">Error Not found</h1>
        <p className="mt-5 max-w-[42ch] text-lg text-dim">
          Nothing is plugged in at this address. The link may be old, or a letter may be missing.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <ButtonLink to="/">To the home page</ButtonLink>
          <ButtonLink to="/#parts" variant="quiet">
            See the parts
          </ButtonLink>
        </div>
      </div>
      <img
        src="/not-found.svg"
        alt="A board with an empty socket, its plug hanging loose beside it"
        width={640}
        height={480}
        className="w-full"
      />
    </div>
  )
}
