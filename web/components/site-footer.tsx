import { Link } from 'react-router'
import { Mark } from './mark.tsx'

/** `audience` as in `data-for`: the boot script knows before the first paint who is looking. */
type FooterLink = { to: string; text: string; audience?: 'visitor' | 'user' }

const links: FooterLink[] = [
  { to: '/#parts', text: 'Our parts' },
  { to: '/#booking', text: 'How booking works' },
  { to: '/blogs', text: 'Blogs' },
  { to: '/portfolio', text: 'My portfolio' },
  { to: '/login', text: 'Login', audience: 'visitor' },
  { to: '/register', text: 'Sign Up', audience: 'visitor' },
  { to: '/dashboard/myOrders', text: 'My orders', audience: 'user' },
]

/** The end of every page, on graphite. */
export function SiteFooter() {
  return (
    <footer className="mt-24 bg-graphite text-[#f1ede6]">
      <div className="column grid gap-10 py-14 md:grid-cols-[1fr_auto]">
        <div>
          <p className="flex items-center gap-2.5">
            <Mark className="size-7" />
            <span className="font-display text-2xl font-bold tracking-tight">Ferrite</span>
          </p>
          <p className="mt-3 max-w-[36ch] text-[#b9bcbe]">
            Computer parts, booked before they are paid. What we say is in stock is in stock.
          </p>
        </div>
        <nav aria-label="Footer" className="grid grid-cols-2 gap-x-12 gap-y-1 sm:grid-cols-3">
          {links.map(({ to, text, audience }) => (
            <Link
              key={to}
              to={to}
              data-for={audience}
              className="inline-flex min-h-9 items-center hover:text-[#e8935a] hover:underline"
            >
              {text}
            </Link>
          ))}
        </nav>
        <p
          suppressHydrationWarning
          className="border-t border-white/15 pt-6 font-mono text-xs text-[#b9bcbe] md:col-span-2"
        >
          © {new Date().getFullYear()} Ferrite
        </p>
      </div>
    </footer>
  )
}
