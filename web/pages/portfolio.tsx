import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { NotFound } from '#web/components/error-page.tsx'
import { portfolio } from '#web/content/portfolio.ts'
import { isHidden } from '#web/content/site-pages.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useShop } from '#web/lib/use-shop.ts'
import type { Route } from './+types/portfolio'

export const meta: Route.MetaFunction = ({ matches: [root] }) => {
  const shop = root.loaderData?.shop
  return pageMeta(shop, 'My portfolio', `${shop?.facts.owner}: education, skills, projects.`)
}

export { clientLoader, loader } from './hidden.ts'

export default function PortfolioPage() {
  const { facts } = useShop()
  const { owner } = facts
  if (isHidden('/portfolio', facts)) return <NotFound />
  return (
    <div className="column py-12 md:py-16">
      <p className="font-mono text-sm text-copper">My portfolio</p>
      <h1 className="mt-3 text-4xl font-bold tracking-tight md:text-5xl">{owner}</h1>
      <p className="mt-5 max-w-[52ch] text-lg text-dim">{portfolio.summary}</p>
      <div className="mt-14 grid gap-12 lg:grid-cols-2">
        <section aria-labelledby="education">
          <h2 id="education" className="text-3xl font-semibold tracking-tight">
            Education
          </h2>
          <dl className="mt-5 border-t border-line">
            {portfolio.education.map(({ years, what, where }) => (
              <div
                key={what}
                className="grid gap-x-6 border-b border-line py-4 sm:grid-cols-[9rem_1fr]"
              >
                <dt className="font-mono text-sm leading-6 text-dim">{years}</dt>
                <dd>
                  <span className="block font-semibold">{what}</span>
                  <span className="text-dim">{where}</span>
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <section aria-labelledby="skills">
          <h2 id="skills" className="text-3xl font-semibold tracking-tight">
            Skills
          </h2>
          <ul className="mt-5 flex flex-wrap gap-2 border-t border-line pt-5">
            {portfolio.skills.map((skill) => (
              <li key={skill} className="rounded-full border border-line bg-card px-4 py-1.5">
                {skill}
              </li>
            ))}
          </ul>
        </section>
      </div>
      <section aria-labelledby="projects" className="mt-16">
        <h2 id="projects" className="text-3xl font-semibold tracking-tight">
          Projects
        </h2>
        <ul className="mt-5 grid gap-6 md:grid-cols-3">
          {portfolio.projects.map(({ title, text, to }) => (
            <li key={title}>
              <Link to={to} className="card group block h-full p-6 hover:border-edge">
                <span className="flex items-start justify-between gap-3">
                  <span className="font-display text-xl font-semibold group-hover:text-copper">
                    {title}
                  </span>
                  <ArrowRight size={20} className="mt-1 shrink-0 text-copper" aria-hidden="true" />
                </span>
                <span className="mt-2 block text-dim">{text}</span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
