import { lazy, Suspense } from 'react'
import { Link, useLocation } from 'react-router'
import type { OwnText, TextPageName } from '#contracts/texts.ts'
import { ownSections } from '#web/content/own-text.tsx'
import { shownPages } from '#web/content/site-pages.ts'
import { TextArticle } from '#web/content/text-article.tsx'
import { textPageAt, titleOf } from '#web/content/text-pages.ts'
import { useTextFacts } from '#web/content/use-text-facts.ts'
import { loadApi } from '#web/lib/loading/late-api.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { pageError } from '#web/lib/page-error.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import { useHydrated } from '#web/lib/use-hydrated.ts'
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

const ContactForm = lazy(withTimeout(() => import('#web/features/tickets/contact-form.tsx')))

/** The contact form, for readers with scripts; the others have the address. */
function WriteToUs() {
  if (!useHydrated()) return null
  return (
    <Suspense>
      <section aria-labelledby="write" className="border-line border-t py-7">
        <h2 id="write" className="mb-4 font-semibold text-[1.75rem]/[1.2] tracking-tight">
          Contact us
        </h2>
        <div className="max-w-[60ch]">
          <ContactForm />
        </div>
      </section>
    </Suspense>
  )
}

/** A page of plain text: services, company, legal. The owner's own text replaces the shop's. */
export default function TextPage({ loaderData: own }: Route.ComponentProps) {
  const page = textPageAt(useLocation().pathname)
  const facts = useTextFacts()
  const sections = own ? ownSections(own.sections, facts) : page.sections(facts)
  const { pages = [] } = shownPages(useShop()).find(({ group }) => group === page.group) ?? {}
  return (
    <TextArticle
      group={page.group}
      title={page.title}
      lead={own?.lead || page.lead}
      sections={sections}
      path={page.path}
      siblings={pages}
    >
      {page.path === '/contact' && <WriteToUs />}
      <p className="mt-10 flex flex-wrap gap-x-6 gap-y-2">
        <span className="text-dim">Read next:</span>
        {page.next.map((to) => (
          <Link key={to} to={to} className="link">
            {titleOf(to)}
          </Link>
        ))}
      </p>
    </TextArticle>
  )
}
