import { Package } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'

/** `also` are pages without an entry of their own that belong to the room. */
const rooms = [
  { to: '/dashboard/myOrders', also: '/dashboard/payment', name: 'My orders', icon: Package },
]

function currentIn(pathname: string, room: (typeof rooms)[number]): 'page' | 'true' | undefined {
  if (pathname.startsWith(room.to)) return 'page'
  return pathname.startsWith(room.also) ? 'true' : undefined
}

/** The dashboard's frame: a sidebar, on a phone a bar above the room. */
export function DashboardLayout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  return (
    <div className="column grid min-h-dvh content-start items-start gap-x-10 gap-y-6 py-6 md:py-10 lg:grid-cols-[13rem_1fr]">
      <nav aria-label="Dashboard" className="lg:sticky lg:top-24">
        <ul className="flex gap-2 overflow-x-auto border-line border-b pb-3 lg:grid lg:border-b-0 lg:pb-0">
          {rooms.map((room) => (
            <li key={room.to}>
              <Link
                to={room.to}
                aria-current={currentIn(pathname, room)}
                className="flex min-h-11 items-center gap-3 whitespace-nowrap rounded-full border border-transparent px-4 font-medium aria-[current]:border-line transition-colors hover:text-copper aria-[current]:bg-card aria-[current]:text-copper"
              >
                <room.icon aria-hidden="true" className="size-5" />
                {room.name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">{children}</div>
    </div>
  )
}
