import { Link, useLocation } from 'react-router'
import { holdText, renewalText } from '#contracts/shop.ts'
import type { Facts } from '#web/content/text-page.ts'
import { textPageAt, titleOf } from '#web/content/text-pages.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useShop } from '#web/lib/use-shop.ts'
import type { Route } from './+types/text'

export const meta: Route.MetaFunction = ({ location, matches: [root] }) => {
  const { title, lead } = textPageAt(location.pathname)
  return pageMeta(root.loaderData?.shop, title, lead)
}

function useFacts(): Facts {
  const { facts, holdMinutes, holdMaxMinutes, expireDays, payments, identity, currency } = useShop()
  return {
    shop: facts,
    currency,
    holdTime: holdText(holdMinutes),
    renewal: renewalText(holdMinutes, holdMaxMinutes),
    expireDays,
    sandbox: payments.sandbox,
    google: Boolean(identity.google),
    firebase: Boolean(identity.firebase),
  }
}

function Siblings({ group, pages, path }: Omit<ReturnType<typeof textPageAt>, 'sections'>) {
  return (
    <nav aria-label={group} className="self-start lg:sticky lg:top-28">
      <ul className="border-line border-t">
        {pages.map(({ to, text }) => (
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

/** A page of plain text: services, company, legal. */
export default function TextPage() {
  const page = textPageAt(useLocation().pathname)
  const sections = page.sections(useFacts())
  return (
    <article className="column py-12 md:py-16">
      <p className="font-mono text-sm text-copper">{page.group}</p>
      <h1 className="mt-3 text-5xl font-bold tracking-tight md:text-6xl">{page.title}</h1>
      <p className="mt-5 max-w-[44ch] text-xl text-dim">{page.lead}</p>
      <div className="mt-12 grid gap-12 lg:grid-cols-[14rem_1fr]">
        <div className="min-w-0 lg:order-last">
          {sections.map(({ heading, body }) => (
            <section key={heading} className="border-line border-t py-7">
              <h2 className="font-semibold text-[1.75rem]/[1.2] tracking-tight">{heading}</h2>
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
