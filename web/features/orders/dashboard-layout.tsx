import { Package } from 'lucide-react'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'

const rooms = [{ to: '/dashboard/myOrders', name: 'My orders', icon: Package }]

/** The dashboard's frame: a sidebar, on a phone a bar above the room. */
export function DashboardLayout({ children }: { children: ReactNode }) {
  return (
    <div className="grid items-start gap-x-10 gap-y-6 py-6 md:py-10 lg:grid-cols-[13rem_1fr]">
      <nav aria-label="Dashboard" className="lg:sticky lg:top-24">
        <ul className="flex gap-2 overflow-x-auto border-line border-b pb-3 lg:grid lg:border-r lg:border-b-0 lg:pr-4 lg:pb-0">
          {rooms.map(({ to, name, icon: Icon }) => (
            <li key={to}>
              <NavLink
                to={to}
                className="flex min-h-11 items-center gap-3 whitespace-nowrap rounded-full px-4 font-medium transition-colors hover:text-copper aria-[current=page]:bg-copper/10 aria-[current=page]:text-copper"
              >
                <Icon aria-hidden="true" className="size-5" />
                {name}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">{children}</div>
    </div>
  )
}
