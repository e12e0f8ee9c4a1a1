import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { data, Link, useLocation, useSearchParams } from 'react-router'
import type { Build } from '#contracts/builds.ts'
import type { BasketParts } from '#contracts/compare.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { fetchBasket, linesOf, loadBasket, needsParts } from '#web/features/basket/kept-lines.ts'
import { BuildScreen } from '#web/features/builds/build-screen.tsx'
import { roleQuery } from '#web/features/users/queries.ts'
import { loadApi } from '#web/lib/loading/late-api.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { pageError } from '#web/lib/page-error.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import type { Route } from './+types/build'

const KeptBuilds = lazy(withTimeout(() => import('#web/features/builds/kept-builds.tsx')))

export const handle: PageHandle = { query: ['parts', 'add'] }

export const meta: Route.MetaFunction = ({ matches: [root] }) =>
  pageMeta(
    root.loaderData?.shop,
    'Build a PC',
    'Choose the parts for your PC, see what fits, how much power it draws and what it costs, and book them together.',
  )

type Loaded = BasketParts & { builds: Build[] }

export async function loader({ context, request }: Route.LoaderArgs) {
  const { fetchApi } = context.get(shopContext)
  const [basket, builds] = await Promise.all([
    loadBasket(fetchApi, request.url),
    fetchApi('/api/builds'),
  ])
  if (!builds.ok) throw await pageError(builds)
  return data<Loaded>({ ...basket, builds: await builds.json() })
}

export async function clientLoader({ request }: Route.ClientLoaderArgs): Promise<Loaded> {
  const { api } = await loadApi()
  const [basket, builds] = await Promise.all([fetchBasket(request.url), api.builds.$get()])
  return { ...basket, builds: await builds.json() }
}

export const shouldRevalidate = needsParts

/** The builds of the user, and for the owner those of the shop. */
function Kept({ email, builds }: { email: string; builds: Build[] }) {
  const [params] = useSearchParams()
  const { data: role } = useQuery(roleQuery(email))
  return (
    <Suspense>
      <KeptBuilds
        email={email}
        lines={linesOf(params)}
        shopBuilds={builds}
        isOwner={role === 'admin'}
      />
    </Suspense>
  )
}

/** Tells visitors what an account does for a build. */
function ToKeep() {
  const { pathname, search } = useLocation()
  return (
    <p data-for="visitor" className="mt-6 text-dim">
      <Link to="/login" state={{ from: `${pathname}${search}` }} className="link">
        Log in
      </Link>{' '}
      to save your builds.
    </p>
  )
}

export default function BuildPage({ loaderData }: Route.ComponentProps) {
  const { user } = useSession()
  const { builds } = loaderData
  return (
    <BuildScreen
      {...loaderData}
      kept={user ? <Kept key={user.email} email={user.email} builds={builds} /> : <ToKeep />}
    />
  )
}
