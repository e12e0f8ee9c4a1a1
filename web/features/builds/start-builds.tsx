import { Link } from 'react-router'
import { basketIn, buildPath } from '#contracts/basket.ts'
import type { Build } from '#contracts/builds.ts'
import { counted } from '#contracts/counted.ts'
import { useMoney } from '#web/lib/use-money.ts'

const listed = new Intl.ListFormat('en', { type: 'conjunction' })

/** What a build costs now, and which of its parts cannot be had. */
export function BuildFacts({ build: { parts, total, gone, soldOut } }: { build: Build }) {
  const money = useMoney()
  return (
    <>
      <p className="text-dim text-sm">
        {counted(basketIn(parts).length, 'part')}, {money(total)}
      </p>
      {gone.length > 0 && <p className="text-sm">No longer sold: {listed.format(gone)}.</p>}
      {soldOut.length > 0 && <p className="text-sm">Sold out: {listed.format(soldOut)}.</p>}
    </>
  )
}

/** The builds of the shop, each a start for one's own. */
export function StartBuilds({ builds }: { builds: Build[] }) {
  if (builds.length === 0) return null
  return (
    <section aria-labelledby="start-title" className="mb-8">
      <h2 id="start-title" className="mb-3 text-xl font-semibold">
        Start from one of ours
      </h2>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {builds.map((build) => (
          <li key={build._id} className="card p-4">
            <Link
              to={buildPath(basketIn(build.parts))}
              rel="nofollow"
              className="link inline-flex min-h-11 items-center font-semibold break-words"
            >
              {build.name}
            </Link>
            <BuildFacts build={build} />
          </li>
        ))}
      </ul>
    </section>
  )
}
