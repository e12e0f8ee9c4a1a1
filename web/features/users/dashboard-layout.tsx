import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { Skeleton } from '#web/components/skeleton.tsx'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { roleQuery } from './role-query.ts'
import { currentIn, customerRooms, profileRoom, type Room } from './rooms.ts'

function RoomLink({ room, pathname }: { room: Room; pathname: string }) {
  return (
    <li className="flex-1 sm:flex-none">
      <Link to={room.to} aria-current={currentIn(pathname, room)} className="room">
        <room.icon aria-hidden="true" className="size-5 shrink-0" />
        {room.name}
      </Link>
    </li>
  )
}

/** The rooms of the user's role. While it is not known their place is kept, and no wrong one is ever shown. */
function RoleRooms({ email, pathname }: { email: string; pathname: string }) {
  const { data: isAdmin, error, refetch, isFetching } = useQuery(roleQuery(email))
  const leaving = useSignedOutBy(error)
  if (isAdmin !== undefined) {
    const rooms = isAdmin ? [] : customerRooms
    return rooms.map((room) => <RoomLink key={room.to} room={room} pathname={pathname} />)
  }
  if (error && !leaving && !isFetching) {
    return (
      <li className="flex min-h-11 items-center gap-2 px-3 text-dim text-sm lg:block lg:py-2">
        The other rooms could not be loaded.{' '}
        <button type="button" className="link min-h-6 cursor-pointer" onClick={() => refetch()}>
          Retry
        </button>
      </li>
    )
  }
  return customerRooms.map((room) => (
    <li key={room.to} aria-hidden="true" className="flex-1 sm:flex-none">
      <span className="room">
        <Skeleton className="size-5" />
        <Skeleton className="h-5 w-20" />
      </span>
    </li>
  ))
}

type Props = { email: string; children: ReactNode }

/** The dashboard's frame: a sidebar, on a phone a bar above the room. */
export function DashboardLayout({ email, children }: Props) {
  const { pathname } = useLocation()
  return (
    <div className="column grid min-h-dvh content-start items-start gap-x-12 gap-y-6 pt-2 pb-6 md:pb-10 lg:grid-cols-[12.5rem_1fr] lg:pt-10">
      <nav aria-label="Dashboard" className="min-w-0 print:hidden lg:sticky lg:top-28">
        <ul className="rooms">
          <RoomLink room={profileRoom} pathname={pathname} />
          <RoleRooms email={email} pathname={pathname} />
        </ul>
      </nav>
      <div className="min-w-0">{children}</div>
    </div>
  )
}
