import { Link, useLocation } from 'react-router'
import type { OwnText, TextPageName } from '#contracts/texts.ts'
import { ownSections } from '#web/content/own-text.tsx'
import { isHidden } from '#web/content/site-pages.ts'
import { textPageAt, titleOf } from '#web/content/text-pages.ts'
import { useTextFacts } from '#web/content/use-text-facts.ts'
import { loadApi } from '#web/lib/loading/late-api.ts'
import { pageError } from '#web/lib/page-error.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import { useShop } from '#web/lib/use-shop.ts'
import type { Route } from './+types/text'

export const meta: Route.MetaFunction = ({ location, loaderData, matches: [root] }) => {
  const { title, lead } = textPageAt(location.pathname)
  return pageMeta(root.loaderData?.shop, title, loaderData?.lead || lead)
}

/** The page of a path such as `/about/`. */
const pageNameOf = (url: string) => new URL(url).pathname.replaceAll('/', '') as TextPageName

/** The owner's own text, if there is one. */
export async function loader({ context, request }: Route.LoaderArgs): Promise<OwnText> {
  const { fetchApi } = context.get(shopContext)
  const answer = await fetchApi(`/api/text/${pageNameOf(request.url)}`)
  if (!answer.ok) throw await pageError(answer)
  return answer.json()
}

export async function clientLoader({ request }: Route.ClientLoaderArgs): Promise<OwnText> {
  const { api } = await loadApi()
  return (await api.text[':page'].$get({ param: { page: pageNameOf(request.url) } })).json()
}

function Siblings({ group, pages, path }: Omit<ReturnType<typeof textPageAt>, 'sections'>) {
  const { facts } = useShop()
  return (
    <nav aria-label={group} className="self-start lg:sticky lg:top-28">
      <ul className="border-line border-t">
        {pages
          .filter(({ to }) => !isHidden(to, facts))
          .map(({ to, text }) => (
            <li key={to} className="border-line border-b">
              <Link
                to={to}
                className="block py-3 hover:text-copper aria-[current=page]:text-copper"
                aria-current={to === path ? 'page' : undefined}
              >
                {text}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  )
}

/** A page of plain text: services, company, legal. The owner's own text replaces the shop's. */
export default function TextPage({ loaderData: own }: Route.ComponentProps) {
  const page = textPageAt(useLocation().pathname)
  const facts = useTextFacts()
  const sections = own ? ownSections(own.sections, facts) : page.sections(facts)
  return (
    <article className="column py-12 md:py-16">
      <p className="font-mono text-sm text-copper">{page.group}</p>
      <h1 className="mt-3 text-5xl font-bold tracking-tight md:text-6xl">{page.title}</h1>
      <p className="mt-5 max-w-[44ch] text-xl text-dim">{own?.lead || page.lead}</p>
      <div className="mt-12 grid gap-12 lg:grid-cols-[14rem_1fr]">
        <div className="min-w-0 lg:order-last">
          {sections.map(({ heading, body }) => (
            <section key={heading} className="border-line border-t py-7">
              {heading && (
                <h2 className="font-semibold text-[1.75rem]/[1.2] tracking-tight">{heading}</h2>
              )}
              <div className="prose mt-3 max-w-[60ch] text-[1.0625rem] [&_a]:text-copper [&_a]:underline [&_a]:underline-offset-3">
                {body}
              </div>
            </section>
          ))}
          <p className="mt-10 flex flex-wrap gap-x-6 gap-y-2">
            <span className="text-dim">Read next:</span>
            {page.next.map((to) => (
              <Link key={to} to={to} className="link">
                {titleOf(to)}
              </Link>
            ))}
          </p>
        </div>
        <Siblings {...page} />
      </div>
    </article>
  )
}
