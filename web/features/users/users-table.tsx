import { Link } from 'react-router'
import type { ListedUser } from '#contracts/users.ts'
import { EmailText } from '#web/components/email-text.tsx'
import { ListTable, SortHeader } from '#web/components/list-table.tsx'
import { RowButton } from '#web/components/row-button.tsx'
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
    <tr className="grid-cols-[auto_1fr] [grid-template-areas:'who_who'_'make_more']">
      <td className="[grid-area:who]">
        <span className="font-semibold">
          <EmailText email={user.email} />
        </span>
        {/* on a card the day stands at the end of the name's line */}
        <p className="text-dim text-sm narrow:pe-34">
          {user.name} <Tags user={user} />
        </p>
      </td>
      <td className="self-end justify-self-end whitespace-nowrap [grid-area:who] wide:w-28 text-dim text-sm">
        <span className="wide:hidden">since </span>
        <time dateTime={user.createdAt}>{day.format(new Date(user.createdAt))}</time>
      </td>
      <td className="[grid-area:make] wide:w-35">
        <RowButton
          off={isAdmin}
          aria-label={isAdmin ? undefined : `Make admin: ${user.email}`}
          onClick={ask('make-admin')}
        >
          {isAdmin ? 'Already admin' : 'Make admin'}
        </RowButton>
      </td>
      <td className="flex flex-wrap items-center gap-x-3 gap-y-2 [grid-area:more] wide:table-cell wide:w-66 wide:text-end wide:*:ms-2">
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

export function UsersTable({ address, users, ...rest }: Props) {
  return (
    <ListTable
      caption="Users"
      head={
        <>
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
        </>
      }
    >
      {users.map((user) => (
        <UserRow key={user._id} user={user} {...rest} />
      ))}
    </ListTable>
  )
}
