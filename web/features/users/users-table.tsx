import { Link } from 'react-router'
import type { ListedUser } from '#contracts/users.ts'
import { EmailText } from '#web/components/email-text.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { SortHeader } from '#web/components/sort-header.tsx'
import type { ListAddress } from '#web/lib/use-list-address.ts'
import type { Asked, UserAction } from './use-user-actions.ts'

type Props = {
  address: ListAddress
  users: ListedUser[]
  /** The admin who looks at the list, and can not block themselves. */
  self: string | undefined
  onAsk: (asked: Asked) => void
}

const day = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'short', day: 'numeric' })

function Tags({ user }: { user: ListedUser }) {
  return (
    <>
      {!user.emailVerified && (
        <span className="tag" title="The link in our mail to this address has not been opened yet">
          unverified
        </span>
      )}{' '}
      {user.blockedAt && (
        <span
          className="tag tag-strong"
          title={`since ${day.format(new Date(user.blockedAt))}; the reason is in the audit log`}
        >
          blocked
        </span>
      )}
    </>
  )
}

type RowProps = Pick<Props, 'self' | 'onAsk'> & { user: ListedUser }

function UserRow({ user, self, onAsk }: RowProps) {
  const isAdmin = user.role === 'admin'
  const ask = (action: UserAction) => () => onAsk({ action, user })
  return (
    <tr>
      <td className="users-who">
        <span className="font-semibold">
          <EmailText email={user.email} />
        </span>
        <p className="text-dim text-sm">
          {user.name} <Tags user={user} />
        </p>
      </td>
      <td className="users-since whitespace-nowrap text-dim text-sm">
        <span className="users-since-word">since </span>
        <time dateTime={user.createdAt}>{day.format(new Date(user.createdAt))}</time>
      </td>
      <td className="users-make">
        <RowButton
          off={isAdmin}
          aria-label={isAdmin ? undefined : `Make admin: ${user.email}`}
          onClick={ask('make-admin')}
        >
          {isAdmin ? 'Already admin' : 'Make admin'}
        </RowButton>
      </td>
      <td className="users-more">
        {isAdmin && (
          <RowButton aria-label={`Remove rights: ${user.email}`} onClick={ask('remove-rights')}>
            Remove rights
          </RowButton>
        )}
        {user.email !== self && (
          <RowButton
            aria-label={`${user.blockedAt ? 'Unblock' : 'Block'}: ${user.email}`}
            onClick={ask(user.blockedAt ? 'unblock' : 'block')}
          >
            {user.blockedAt ? 'Unblock' : 'Block'}
          </RowButton>
        )}
        <Link
          to={`/dashboard/audit?about=${encodeURIComponent(`user:${user.email}`)}`}
          className="link inline-flex min-h-6 items-center text-sm"
          aria-label={`Audit log of ${user.email}`}
        >
          Audit log
        </Link>
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
            <span className="sr-only">Rights, access and audit log</span>
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
