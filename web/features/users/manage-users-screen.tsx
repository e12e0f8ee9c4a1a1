import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { UserList } from '#contracts/lists.ts'
import { messages } from '#contracts/messages.ts'
import type { ListedUser } from '#contracts/users.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ListSelect } from '#web/components/list-filter.tsx'
import { ListFrame } from '#web/components/list-frame.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { filterOf } from '#web/lib/list-filter.ts'
import { toast } from '#web/lib/toast.ts'
import { type ListAddress, useListAddress } from '#web/lib/use-list-address.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/use-signed-out-unless-admin.ts'
import { useMakeAdmin, useRemoveRights, usersQuery } from './users-query.ts'
import { UsersTable } from './users-table.tsx'

const roleChoices = { '': 'Everybody', admin: 'Admins', customer: 'Customers' }
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
        label="Sorted by"
        value={address.read('sort')}
        choices={orderChoices}
        onChange={(sort) => address.change({ sort })}
      />
    </div>
  )
}

/** Giving and taking rights, with what is told about it. */
function useRightsDeeds() {
  const make = useMakeAdmin()
  const remove = useRemoveRights()
  const [asked, setAsked] = useState<ListedUser | null>(null)
  // a double click comes before the row shows that it is busy
  const working = useRef(false)
  const changing =
    (make.isPending && make.variables) || (remove.isPending && remove.variables) || undefined

  function change(deed: typeof make, email: string, done: string) {
    if (working.current) return
    working.current = true
    deed.mutate(email, {
      onSuccess: () => toast('success', done),
      onError: (problem) => toast('error', problem.message),
      onSettled: () => {
        working.current = false
        setAsked(null)
      },
    })
  }
  return {
    changing,
    asked,
    ask: setAsked,
    isRemoving: remove.isPending,
    makeAdmin: (user: ListedUser) => change(make, user.email, messages.adminMade),
    removeRights: (user: ListedUser) =>
      change(remove, user.email, `${user.email} is no admin any more`),
  }
}

/** Everybody with an account, and who of them may do what an owner does. */
export function ManageUsersScreen() {
  const address = useListAddress(['q', 'role'])
  const list = useQuery(usersQuery(filterOf(UserList, address)))
  const leaving = useSignedOutUnlessAdmin(list.error)
  const deeds = useRightsDeeds()
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
        noun={['user', 'users']}
        empty={<EmptyState title="No users yet">Whoever signs up is listed here.</EmptyState>}
      >
        <UsersTable
          address={address}
          users={list.data?.rows ?? []}
          changing={deeds.changing}
          onMakeAdmin={deeds.makeAdmin}
          onRemoveRights={deeds.ask}
        />
      </ListFrame>
      <ConfirmDialog
        open={deeds.asked !== null}
        title="Remove admin rights?"
        confirmText="Remove rights"
        busy={deeds.isRemoving}
        onCancel={() => deeds.ask(null)}
        onConfirm={() => deeds.asked && deeds.removeRights(deeds.asked)}
      >
        {deeds.asked && `${deeds.asked.email} loses them with the next click there.`}
      </ConfirmDialog>
    </section>
  )
}
