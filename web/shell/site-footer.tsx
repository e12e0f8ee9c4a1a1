import { Link } from 'react-router'
import { Logo } from '#web/components/logo.tsx'
import { useHydrated } from '#web/lib/use-hydrated.ts'
import { useShopName, useShopSlogan } from '#web/lib/use-shop.ts'

type FooterProps = {
  groups: { group: string; pages: { to: string; text: string }[] }[]
  /**
   * The year in which the server rendered this page: the browser corrects a page cached over New
   * Year.
   */
  renderedIn?: number
}

const thisYear = () => new Date().getFullYear()

/** The graphite footer of every page: groups of pages, and the copyright with the current year. */
export function SiteFooter({ groups, renderedIn }: FooterProps) {
  const name = useShopName()
  const isHydrated = useHydrated()
  const year = (!isHydrated && renderedIn) || thisYear()
  return (
    <footer className="mt-24 bg-graphite text-on-graphite">
      <div className="column grid gap-x-10 gap-y-12 py-14 lg:grid-cols-[1fr_auto]">
        <div>
          <p className="flex items-center gap-2.5">
            <Logo className="size-7" />
            <span className="font-display text-2xl font-bold tracking-tight">{name}</span>
          </p>
          <p className="mt-3 max-w-[36ch] text-on-graphite-dim">{useShopSlogan()}</p>
        </div>
        <div className="grid grid-cols-2 gap-x-5 gap-y-10 sm:grid-cols-3 sm:gap-x-10 lg:gap-x-16">
          {groups.map(({ group, pages }) => (
            <nav key={group} aria-labelledby={`footer-${group}`}>
              <h2 id={`footer-${group}`} className="font-mono text-sm text-on-graphite-copper">
                {group}
              </h2>
              <ul className="mt-3 grid justify-items-start">
                {pages.map(({ to, text }) => (
                  <li key={to}>
                    <Link to={to} className="footer-link">
                      {text}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
        <p className="border-t border-white/15 pt-6 font-mono text-xs text-on-graphite-dim lg:col-span-2">
          © {year} {name}
        </p>
      </div>
    </footer>
  )
}
