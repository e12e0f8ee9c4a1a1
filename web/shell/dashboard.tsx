import '#web/dashboard.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { whole } from '#contracts/counted.ts'
import { version } from '#package.json'
import { Skeleton } from '#web/components/states.tsx'
import { overviewQuery } from '#web/features/overview/queries.ts'
import { ConfirmHost } from '#web/features/users/confirm-host.tsx'
import {
  currentIn,
  likelyNavGroups,
  type NavGroup,
  type NavItem,
  navGroups,
  profileNavItem,
} from '#web/features/users/nav-items.ts'
import { roleQuery } from '#web/features/users/queries.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { prepareToasts } from '#web/lib/toasts/toast.ts'

export const meta = titled('Dashboard')

export default function Dashboard() {
  const { user } = useSession()
  return (
    user && (
      <DashboardLayout email={user.email}>
        <Outlet />
      </DashboardLayout>
    )
  )
}

type SidebarLinkProps = { item: NavItem; pathname: string; waiting?: number | undefined }

function SidebarLink({ item, pathname, waiting = 0 }: SidebarLinkProps) {
  return (
    <li>
      <Link to={item.to} aria-current={currentIn(pathname, item)} className="nav-item">
        <item.icon aria-hidden="true" className="size-5 shrink-0" />
        {item.name}
        {waiting > 0 && (
          <span className="nav-waiting">
            {whole(waiting)}
            <span className="sr-only"> waiting</span>
          </span>
        )}
      </Link>
    </li>
  )
}

/** What waits for an admin, as the overview last said. */
function useWaiting(isAdmin: boolean) {
  const { data } = useQuery({
    ...overviewQuery,
    enabled: isAdmin,
    staleTime: 60_000,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  })
  return { orders: data?.toShip.total, tickets: data?.attention.tickets }
}

type GroupsProps = { groups: NavGroup[]; children: (item: NavItem) => ReactNode }

function Groups({ groups, children }: GroupsProps) {
  return groups.map(({ name, items }) => (
    <li key={name ?? ''} className="contents">
      {name && <p className="nav-group label">{name}</p>}
      <ul className="contents" aria-label={name}>
        {items.map(children)}
      </ul>
    </li>
  ))
}

/**
 * The items of the user's role. Until the role is known, placeholders are shown, so that no wrong
 * item ever appears.
 */
function RoleNavItems({ email, pathname }: { email: string; pathname: string }) {
  const { data: role, error, refetch, isFetching } = useQuery(roleQuery(email))
  const leaving = useSignedOutBy(error)
  const waiting = useWaiting(role === 'admin')
  if (role) {
    return (
      <Groups groups={navGroups[role]}>
        {(item) => (
          <SidebarLink
            key={item.to}
            item={item}
            pathname={pathname}
            waiting={item.waits && waiting[item.waits]}
          />
        )}
      </Groups>
    )
  }
  if (error && !leaving && !isFetching) {
    return (
      <li className="flex min-h-11 items-center gap-2 px-3 text-dim text-sm lg:block lg:py-2">
        The other pages couldn’t be loaded.{' '}
        <button type="button" className="link min-h-6 cursor-pointer" onClick={() => refetch()}>
          Retry
        </button>
      </li>
    )
  }
  return (
    <Groups groups={likelyNavGroups(pathname)}>
      {(item) => (
        <li key={item.to} aria-hidden="true">
          <span className="nav-item">
            <Skeleton className="size-5" />
            <Skeleton className="h-5 w-20" />
          </span>
        </li>
      )}
    </Groups>
  )
}

/** The version that an owner quotes when reporting a problem. */
function Version({ email }: { email: string }) {
  const { data: role } = useQuery(roleQuery(email))
  return (
    role === 'admin' && (
      <p className="px-3 pt-4 text-dim text-sm max-lg:hidden">Version {version}</p>
    )
  )
}

/** The width of the fade at the end of the row, in pixels. */
const fade = 40

function bringInSight(list: HTMLElement, item: Element): void {
  const { left, right, top, bottom } = item.getBoundingClientRect()
  const bar = list.getBoundingClientRect()
  if (left < bar.left || right > bar.right - fade) list.scrollLeft += left - bar.left - 16
  if (top < bar.top || bottom > bar.bottom) list.scrollTop += top - bar.top - 16
}

/** The items scroll, on a phone as a row: keeps the current one in view. */
function useCurrentInSight(pathname: string) {
  const items = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const list = items.current
    if (!list || !pathname) return
    const show = () => {
      const current = list.querySelector<HTMLElement>('[aria-current]')
      if (current) bringInSight(list, current)
    }
    show()
    // the items appear once the role is known
    const watch = new MutationObserver(show)
    watch.observe(list, { childList: true })
    return () => watch.disconnect()
  }, [pathname])
  return items
}

type Props = { email: string; children: ReactNode }

/** The dashboard's frame: a sidebar, or on a phone a bar above the page. */
function DashboardLayout({ email, children }: Props) {
  const { pathname } = useLocation()
  const items = useCurrentInSight(pathname)
  useEffect(() => void prepareToasts(), [])
  return (
    <div className="column grid min-h-dvh content-start items-start gap-x-12 gap-y-6 pt-2 pb-6 md:pb-10 lg:grid-cols-[12.5rem_1fr] lg:pt-10">
      <nav aria-label="Dashboard" className="min-w-0 print:hidden lg:sticky lg:top-28">
        {/* browsers do not scroll to a link that is half in view; a link being pressed must not
            move away */}
        <ul
          ref={items}
          className="nav-items"
          onFocus={({ currentTarget, target }) => {
            if (target.matches(':focus-visible')) bringInSight(currentTarget, target)
          }}
        >
          <SidebarLink item={profileNavItem} pathname={pathname} />
          <RoleNavItems email={email} pathname={pathname} />
        </ul>
        <Version email={email} />
      </nav>
      <div className="min-w-0">{children}</div>
      <ConfirmHost />
    </div>
  )
}
