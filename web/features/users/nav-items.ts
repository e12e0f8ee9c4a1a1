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
export type NavItem = { to: string; name: string; icon: LucideIcon; also: string[] }

export const profileNavItem: NavItem = {
  to: '/dashboard',
  name: 'My Profile',
  icon: UserRound,
  also: [],
}

export const customerNavItems: NavItem[] = [
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
}

export const adminNavItems: NavItem[] = [
  overviewNavItem,
  {
    to: '/dashboard/users',
    name: 'Manage all users',
    icon: UsersRound,
    also: ['/dashboard/users/'],
  },
  { to: '/dashboard/addProduct', name: 'Add a product', icon: PackagePlus, also: [] },
  {
    to: '/dashboard/manageProducts',
    name: 'Manage all products',
    icon: Boxes,
    also: ['/dashboard/products/', '/dashboard/manageProducts/'],
  },
  { to: '/dashboard/kinds', name: 'Kinds', icon: Shapes, also: ['/dashboard/kinds/'] },
  { to: '/dashboard/fit', name: 'Fit', icon: Puzzle, also: [] },
  {
    to: '/dashboard/deliveries',
    name: 'Goods received',
    icon: Truck,
    also: ['/dashboard/deliveries/'],
  },
  {
    to: '/dashboard/manageOrders',
    name: 'Manage all orders',
    icon: ClipboardList,
    also: ['/dashboard/order/'],
  },
  toShipNavItem,
  {
    to: '/dashboard/tickets',
    name: 'Returns and questions',
    icon: Undo2,
    also: ['/dashboard/ticket/', '/dashboard/newTicket/'],
  },
  { to: '/dashboard/manageReviews', name: 'Manage all reviews', icon: MessagesSquare, also: [] },
  { to: '/dashboard/words', name: 'Words', icon: TextSearch, also: [] },
  { to: '/dashboard/money', name: 'Money', icon: Scale, also: [] },
  { to: '/dashboard/mail', name: 'Mail', icon: Mail, also: [] },
  { to: '/dashboard/health', name: 'Is my shop well?', icon: HeartPulse, also: [] },
  { to: '/dashboard/integrations', name: 'Integrations', icon: Plug, also: [] },
  { to: '/dashboard/settings', name: 'Settings', icon: SlidersHorizontal, also: [] },
  { to: '/dashboard/audit', name: 'Audit log', icon: ScrollText, also: [] },
]

/** The pages of each role. */
export const navItems: Record<Role, NavItem[]> = {
  admin: adminNavItems,
  packer: [toShipNavItem],
  customer: customerNavItems,
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
 * The items shown as placeholders until the role is known: admin items only if the open page is an
 * admin page.
 */
export function likelyNavItems(pathname: string): NavItem[] {
  const isAdminPage = adminNavItems.some((item) => currentIn(pathname, item) === 'page')
  return isAdminPage ? adminNavItems : customerNavItems
}
