import { useQuery } from '@tanstack/react-query'
import { UserFilter, UserList } from '#contracts/lists.ts'
import { ListFrame } from '#web/components/list-frame.tsx'
import { ListTools } from '#web/components/list-tools.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'
import { filterOf, useListAddress } from '#web/lib/use-list-address.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/use-signed-out-unless-admin.ts'
import { usersCountQuery, usersQuery } from './admin-queries.ts'
import { useUserActions } from './use-user-actions.ts'
import { UserDialogs } from './user-dialogs.tsx'
import { UsersTable } from './users-table.tsx'

export const meta = () => pageMeta('Manage all users')

const selects = {
  role: { label: 'Role', choices: { '': 'All roles', admin: 'Admins', customer: 'Customers' } },
  blocked: { label: 'Access', choices: { '': 'All accounts', no: 'Open', yes: 'Blocked' } },
  sort: {
    label: 'Sorted by',
    choices: {
      '': 'E-mail, A to Z',
      '-email': 'E-mail, Z to A',
      newest: 'Newest first',
      oldest: 'Oldest first',
    },
  },
}

/** All accounts: who is an admin, and who is blocked. */
export default function ManageUsersScreen() {
  const address = useListAddress(['q', 'role', 'blocked'])
  const list = useQuery(usersQuery(filterOf(UserList, address)))
  const leaving = useSignedOutUnlessAdmin(list.error)
  const actions = useUserActions()
  const { user } = useSession()
  return (
    <>
      <ListFrame
        title="Manage all users"
        tools={<ListTools address={address} search="Search by e-mail or name" selects={selects} />}
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
        {(users) => (
          <UsersTable address={address} users={users} self={user?.email} onAsk={actions.ask} />
        )}
      </ListFrame>
      <UserDialogs actions={actions} />
    </>
  )
}
