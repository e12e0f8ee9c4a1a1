import type { ListedUser } from '#contracts/users.ts'
import { EmailWords } from '#web/components/email-words.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { SortHeader } from '#web/components/sort-header.tsx'
import type { ListAddress } from '#web/lib/use-list-address.ts'

type Props = {
  address: ListAddress
  users: ListedUser[]
  /** Whose rights are being changed at this moment. */
  changing: string | undefined
  onMakeAdmin: (user: ListedUser) => void
  onRemoveRights: (user: ListedUser) => void
}

const day = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'short', day: 'numeric' })

function UserRow({
  user,
  changing,
  ...rest
}: Omit<Props, 'users' | 'address'> & { user: ListedUser }) {
  const isAdmin = user.role === 'admin'
  const busy = changing === user.email
  return (
    <tr>
      <td className="users-who">
        <span className="font-semibold">
          <EmailWords email={user.email} />
        </span>
        <p className="text-dim text-sm">
          {user.name}{' '}
          {!user.emailVerified && (
            <span className="tag" title="Nobody followed the link in our mail to this address yet">
              unverified
            </span>
          )}
        </p>
      </td>
      <td className="users-since whitespace-nowrap text-dim text-sm">
        <span className="users-since-word">since </span>
        <time dateTime={user.createdAt}>{day.format(new Date(user.createdAt))}</time>
      </td>
      <td className="users-make">
        <RowButton
          off={isAdmin}
          busy={busy}
          aria-label={isAdmin ? undefined : `Make admin: ${user.email}`}
          onClick={() => rest.onMakeAdmin(user)}
        >
          {isAdmin ? 'Already admin' : 'Make admin'}
        </RowButton>
      </td>
      <td className="users-remove">
        {isAdmin && (
          <RowButton
            busy={busy}
            aria-label={`Remove rights: ${user.email}`}
            onClick={() => rest.onRemoveRights(user)}
          >
            Remove rights
          </RowButton>
        )}
      </td>
    </tr>
  )
}

/** Users as a table; where there is little room each row is a card. */
export function UsersTable({ address, users, ...rest }: Props) {
  return (
    <table className="list-table users-list">
      <caption className="sr-only">Users</caption>
      <thead>
        <tr>
          <SortHeader address={address} label="E-mail" ascending="" descending="-email" />
          <SortHeader
            address={address}
            label="Since"
            ascending="oldest"
            descending="newest"
            first="descending"
          />
          <th scope="col">Admin</th>
          <th scope="col">
            <span className="sr-only">Remove rights</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <UserRow key={user._id} user={user} {...rest} />
        ))}
      </tbody>
    </table>
  )
}
