import { useQuery } from '@tanstack/react-query'
import { UserFilter, UserList } from '#contracts/lists.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ListSelect } from '#web/components/list-filter.tsx'
import { ListFrame } from '#web/components/list-frame.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { filterOf } from '#web/lib/list-filter.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'
import { type ListAddress, useListAddress } from '#web/lib/use-list-address.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/use-signed-out-unless-admin.ts'
import { usersCountQuery, usersQuery } from './admin-queries.ts'
import { useUserActions } from './use-user-actions.ts'
import { UserDialogs } from './user-dialogs.tsx'
import { UsersTable } from './users-table.tsx'

export const meta = () => pageMeta('Manage all users')

const roleChoices = { '': 'All roles', admin: 'Admins', customer: 'Customers' }
const accessChoices = { '': 'All accounts', no: 'Open', yes: 'Blocked' }
const orderChoices = {
  '': 'E-mail, A to Z',
  '-email': 'E-mail, Z to A',
  newest: 'Newest first',
  oldest: 'Oldest first',
}

function Tools({ address }: { address: ListAddress }) {
  return (
    <div className="list-tools">
      <SearchBox
        label="Search by e-mail or name"
        value={address.read('q')}
        onSearch={(q) => address.change({ q }, { replace: true })}
      />
      <ListSelect
        label="Role"
        value={address.read('role')}
        choices={roleChoices}
        onChange={(role) => address.change({ role })}
      />
      <ListSelect
        label="Access"
        value={address.read('blocked')}
        choices={accessChoices}
        onChange={(blocked) => address.change({ blocked })}
      />
      <ListSelect
        label="Sorted by"
        value={address.read('sort')}
        choices={orderChoices}
        onChange={(sort) => address.change({ sort })}
      />
    </div>
  )
}

/** All accounts: who is an admin, and who is blocked. */
export default function ManageUsersScreen() {
  const address = useListAddress(['q', 'role', 'blocked'])
  const list = useQuery(usersQuery(filterOf(UserList, address)))
  const leaving = useSignedOutUnlessAdmin(list.error)
  const actions = useUserActions()
  const { user } = useSession()
  return (
    <section aria-labelledby="users">
      <h1 id="users" tabIndex={-1} className="list-heading">
        Manage all users
      </h1>
      <Tools address={address} />
      <ListFrame
        address={address}
        list={list}
        leaving={leaving}
        count={usersCountQuery(filterOf(UserFilter, address))}
        noun={['user', 'users']}
        empty={
          <EmptyState title="No users yet">
            Users are listed here once they have signed up.
          </EmptyState>
        }
      >
        <UsersTable
          address={address}
          users={list.data?.rows ?? []}
          self={user?.email}
          onAsk={actions.ask}
        />
      </ListFrame>
      <UserDialogs actions={actions} />
    </section>
  )
}
