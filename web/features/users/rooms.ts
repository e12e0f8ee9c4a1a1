import { type LucideIcon, Package, Star, UserRound } from 'lucide-react'

/** A page of the dashboard's sidebar. `also` are pages without an entry of their own that belong to it. */
export type Room = { to: string; name: string; icon: LucideIcon; also: string[] }

export const profileRoom: Room = { to: '/dashboard', name: 'My Profile', icon: UserRound, also: [] }

export const customerRooms: Room[] = [
  {
    to: '/dashboard/myOrders',
    name: 'My orders',
    icon: Package,
    also: ['/dashboard/payment/', '/dashboard/order/'],
  },
  { to: '/dashboard/addReview', name: 'Add a review', icon: Star, also: [] },
]

/** For `aria-current`: is this address the room, or a page inside it? */
export function currentIn(pathname: string, room: Room): 'page' | 'true' | undefined {
  if (pathname.replace(/\/$/, '') === room.to) return 'page'
  return room.also.some((start) => pathname.startsWith(start)) ? 'true' : undefined
}
