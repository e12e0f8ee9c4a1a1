import {
  Boxes,
  ChartColumn,
  ClipboardList,
  Cpu,
  HeartPulse,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Package,
  PackageCheck,
  PackagePlus,
  Plug,
  Puzzle,
  Scale,
  ScrollText,
  Shapes,
  SlidersHorizontal,
  Star,
  TextSearch,
  Truck,
  Undo2,
  UserRound,
  UsersRound,
} from 'lucide-react'
import type { Role } from '#contracts/users.ts'
import { overviewPath, toShipPath } from './redirect-back.tsx'

/**
 * A page in the dashboard's sidebar. `also` lists its subpages, which have no entry of their own.
 */
export type NavItem = {
  to: string
  name: string
  icon: LucideIcon
  also: string[]
  /** The figure of the overview that says how many wait there. */
  waits?: 'orders' | 'tickets'
}

/** Items under a heading; without a name, they have none. */
export type NavGroup = { name?: string; items: NavItem[] }

export const profileNavItem: NavItem = {
  to: '/dashboard',
  name: 'My Profile',
  icon: UserRound,
  also: [],
}

const customerNavItems: NavItem[] = [
  {
    to: '/dashboard/myOrders',
    name: 'My orders',
    icon: Package,
    also: ['/dashboard/payment/', '/dashboard/order/'],
  },
  { to: '/dashboard/machine', name: 'My machine', icon: Cpu, also: [] },
  { to: '/dashboard/addReview', name: 'Add a review', icon: Star, also: [] },
]

export const overviewNavItem: NavItem = {
  to: overviewPath,
  name: 'Overview',
  icon: ChartColumn,
  also: [],
}

const toShipNavItem: NavItem = {
  to: toShipPath,
  name: 'To ship',
  icon: PackageCheck,
  also: [],
  waits: 'orders',
}

const adminNavGroups: NavGroup[] = [
  { items: [overviewNavItem] },
  {
    name: 'Orders',
    items: [
      toShipNavItem,
      {
        to: '/dashboard/manageOrders',
        name: 'Manage all orders',
        icon: ClipboardList,
        also: ['/dashboard/order/'],
      },
      {
        to: '/dashboard/tickets',
        name: 'Returns and questions',
        icon: Undo2,
        also: ['/dashboard/ticket/', '/dashboard/newTicket/'],
        waits: 'tickets',
      },
      { to: '/dashboard/money', name: 'Money', icon: Scale, also: [] },
    ],
  },
  {
    name: 'Catalogue',
    items: [
      {
        to: '/dashboard/manageProducts',
        name: 'Manage all products',
        icon: Boxes,
        also: ['/dashboard/products/', '/dashboard/manageProducts/'],
      },
      { to: '/dashboard/addProduct', name: 'Add a product', icon: PackagePlus, also: [] },
      {
        to: '/dashboard/deliveries',
        name: 'Goods received',
        icon: Truck,
        also: ['/dashboard/deliveries/'],
      },
      { to: '/dashboard/kinds', name: 'Categories', icon: Shapes, also: ['/dashboard/kinds/'] },
      { to: '/dashboard/fit', name: 'Fit', icon: Puzzle, also: [] },
      { to: '/dashboard/words', name: 'Words', icon: TextSearch, also: [] },
    ],
  },
  {
    name: 'Customers',
    items: [
      {
        to: '/dashboard/users',
        name: 'Manage all users',
        icon: UsersRound,
        also: ['/dashboard/users/'],
      },
      {
        to: '/dashboard/manageReviews',
        name: 'Manage all reviews',
        icon: MessagesSquare,
        also: [],
      },
      { to: '/dashboard/mail', name: 'Mail', icon: Mail, also: [] },
    ],
  },
  {
    name: 'Shop',
    items: [
      { to: '/dashboard/settings', name: 'Settings', icon: SlidersHorizontal, also: [] },
      { to: '/dashboard/health', name: 'Is my shop well?', icon: HeartPulse, also: [] },
      { to: '/dashboard/integrations', name: 'Integrations', icon: Plug, also: [] },
      { to: '/dashboard/audit', name: 'Audit log', icon: ScrollText, also: [] },
    ],
  },
]

export const adminNavItems = adminNavGroups.flatMap(({ items }) => items)

/** The pages of each role. */
export const navGroups: Record<Role, NavGroup[]> = {
  admin: adminNavGroups,
  packer: [{ items: [toShipNavItem] }],
  customer: [{ items: customerNavItems }],
}

/**
 * The value of `aria-current`: 'page' if the address is the item's page, 'true' if it is inside
 * that page.
 */
export function currentIn(pathname: string, item: NavItem): 'page' | 'true' | undefined {
  if (pathname.replace(/\/$/, '') === item.to) return 'page'
  return item.also.some((start) => pathname.startsWith(start)) ? 'true' : undefined
}

/**
 * The groups shown as placeholders until the role is known: those of admins only if the open page is an
 * admin page.
 */
export function likelyNavGroups(pathname: string): NavGroup[] {
  const isAdminPage = adminNavItems.some((item) => currentIn(pathname, item) === 'page')
  return navGroups[isAdminPage ? 'admin' : 'customer']
}
