import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { UserFilter, UserList } from '#contracts/lists.ts'
import type { ListedUser } from '#contracts/users.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { ConfirmDialog, ReasonDialog } from '#web/components/dialogs.tsx'
import { EmailText } from '#web/components/email-text.tsx'
import { ListFrame, ListTable, SortHeader } from '#web/components/list-frame.tsx'
import { ListTools } from '#web/components/list-tools.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { filterOf, type ListAddress, useListAddress } from '#web/lib/lists/use-list-address.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { shortDay } from '#web/lib/moments.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import {
  type Confirming,
  type UserAction,
  type UserActions,
  usersCountQuery,
  usersQuery,
  useUserActions,
} from './admin-queries.ts'

export const meta = titled('Manage all users')

const selects = {
  role: {
    label: 'Role',
    choices: { '': 'All roles', admin: 'Admins', packer: 'Packers', customer: 'Customers' },
  },
  blocked: { label: 'Access', choices: { '': 'All accounts', no: 'Open', yes: 'Blocked' } },
  sort: {
    label: 'Sorted by',
    choices: {
      '': 'Email, A to Z',
      '-email': 'Email, Z to A',
      newest: 'Newest first',
      oldest: 'Oldest first',
    },
  },
}

const AccountHoldings = lazy(withTimeout(() => import('./account-holdings.tsx')))

/** All accounts, or the holdings of one of them. */
export default function ManageUsersScreen() {
  const [params] = useSearchParams()
  const id = params.get('account')
  if (!id) return <AllUsers />
  return (
    <Suspense>
      <AccountHoldings key={id} id={id} />
    </Suspense>
  )
}

/** All accounts, with admins and blocked users marked. */
function AllUsers() {
  const address = useListAddress(['q', 'role', 'blocked'])
  const list = useQuery(usersQuery(filterOf(UserList, address)))
  const leaving = useSignedOutUnlessAdmin(list.error)
  const actions = useUserActions()
  const { user } = useSession()
  return (
    <>
      <ListFrame
        title="Manage all users"
        actions={
          <ButtonLink to="/dashboard/users/sessions" variant="quiet" className="button-small">
            Who’s logged in
          </ButtonLink>
        }
        tools={<ListTools address={address} search="Search by email or name" selects={selects} />}
        address={address}
        list={list}
        leaving={leaving}
        count={usersCountQuery(filterOf(UserFilter, address))}
        noun={['user', 'users']}
        empty={<EmptyState title="No users yet">Users appear here once they sign up.</EmptyState>}
      >
        {(users) => (
          <UsersTable address={address} users={users} self={user?.email} onAsk={actions.ask} />
        )}
      </ListFrame>
      <UserDialogs actions={actions} />
    </>
  )
}

type UsersTableProps = {
  address: ListAddress
  users: ListedUser[]
  /** The admin using the list, who cannot block themselves. */
  self: string | undefined
  onAsk: (confirming: Confirming) => void
}

function Tags({ user }: { user: ListedUser }) {
  return (
    <>
      {user.role === 'packer' && <span className="tag">packer</span>}{' '}
      {!user.emailVerified && (
        <span className="tag" title="The link in our email to this address hasn’t been opened yet">
          unverified
        </span>
      )}{' '}
      {user.blockedAt && (
        <span
          className="tag tag-strong"
          title={`since ${shortDay(user.blockedAt)}; the reason is in the audit log`}
        >
          blocked
        </span>
      )}
    </>
  )
}

type RowProps = Pick<UsersTableProps, 'self' | 'onAsk'> & { user: ListedUser }

function UserRow({ user, self, onAsk }: RowProps) {
  const isAdmin = user.role === 'admin'
  const ask = (action: UserAction) => () => onAsk({ action, user })
  return (
    <tr className="grid-cols-[auto_1fr] [grid-template-areas:'who_who'_'make_more']">
      <td className="[grid-area:who]">
        <Link to={`/dashboard/users?account=${user._id}`} className="link font-semibold">
          <EmailText email={user.email} />
        </Link>
        {/* on a card the date is at the end of the name's line */}
        <p className="text-dim text-sm narrow:pe-34">
          {user.name} <Tags user={user} />
        </p>
      </td>
      <td className="self-end justify-self-end whitespace-nowrap [grid-area:who] wide:w-28 text-dim text-sm">
        <span className="wide:hidden">since </span>
        <time dateTime={user.createdAt}>{shortDay(user.createdAt)}</time>
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
      <td className="flex flex-wrap items-center gap-x-3 gap-y-2 [grid-area:more] wide:table-cell wide:w-80 wide:text-end wide:*:ms-2">
        {user.role === 'customer' && (
          <RowButton aria-label={`Make packer: ${user.email}`} onClick={ask('make-packer')}>
            Make packer
          </RowButton>
        )}
        {user.role !== 'customer' && (
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
          to={`/dashboard/users?account=${user._id}`}
          className="link inline-flex min-h-6 items-center text-sm"
          aria-label={`Holds of ${user.email}`}
        >
          Holds
        </Link>
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

function UsersTable({ address, users, ...rest }: UsersTableProps) {
  return (
    <ListTable
      caption="Users"
      head={
        <>
          <SortHeader address={address} label="Email" ascending="" descending="-email" />
          <SortHeader
            address={address}
            label="Since"
            ascending="oldest"
            descending="newest"
            first="descending"
          />
          <th scope="col">Admin</th>
          <th scope="col">
            <span className="sr-only">Rights, access, holds and audit log</span>
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

type Props = { actions: UserActions }

const rightsWords = {
  'make-admin': {
    title: () => 'Make this user an admin?',
    confirmText: 'Make admin',
    text: ({ name, email }: ListedUser) =>
      `${name} (${email}) will be able to do everything you can: change prices and stock, refund payments, add and remove admins.`,
  },
  'make-packer': {
    title: () => 'Make this user a packer?',
    confirmText: 'Make packer',
    text: ({ name, email }: ListedUser) =>
      `${name} (${email}) will see what needs shipping, with names and addresses but no prices, and can ship it.`,
  },
  'remove-rights': {
    title: ({ role }: ListedUser) =>
      role === 'packer' ? 'Remove the packer’s rights?' : 'Remove admin rights?',
    confirmText: 'Remove rights',
    text: ({ email }: ListedUser) => `${email} loses them right away.`,
  },
} as const

type ConfirmingRights = Confirming & { action: keyof typeof rightsWords }
const isAboutRights = (confirming: Confirming | null): confirming is ConfirmingRights =>
  confirming !== null && confirming.action in rightsWords

function RightsDialog({ actions }: Props) {
  const confirming = isAboutRights(actions.confirming) ? actions.confirming : null
  const [shownAction, setShownAction] = useState(confirming)
  // keep the text while the dialog closes
  if (confirming && confirming !== shownAction) setShownAction(confirming)
  const words = shownAction && rightsWords[shownAction.action]
  function confirm() {
    if (confirming?.action === 'make-admin') actions.makeAdmin(confirming.user)
    if (confirming?.action === 'make-packer') actions.makePacker(confirming.user)
    if (confirming?.action === 'remove-rights') actions.removeRights(confirming.user)
  }
  return (
    <ConfirmDialog
      open={confirming !== null}
      title={(shownAction && words?.title(shownAction.user)) ?? ''}
      confirmText={words?.confirmText}
      busy={actions.isBusy}
      onCancel={actions.close}
      onConfirm={confirm}
    >
      {shownAction && words?.text(shownAction.user)}
    </ConfirmDialog>
  )
}

function BlockDialog({ actions, user }: Props & { user: ListedUser }) {
  const [hideReviews, setHideReviews] = useState(false)
  return (
    <ReasonDialog
      title="Block this account?"
      about={`${user.name} (${user.email}) will be logged out everywhere and can’t log in until you unblock the account. Orders stay as they are.`}
      hint="Only admins can read this. It’s kept in the audit log."
      confirmText="Block"
      busyText="Blocking…"
      danger
      busy={actions.isBusy}
      error={actions.refusal}
      onConfirm={(reason) => actions.block(user, reason, hideReviews)}
      onCancel={actions.close}
    >
      <label className="mb-3 flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="row-check"
          checked={hideReviews}
          onChange={(event) => setHideReviews(event.target.checked)}
        />
        Hide this account’s reviews too
      </label>
    </ReasonDialog>
  )
}

/** The dialogs in which an admin grants or revokes rights, blocks and unblocks. */
function UserDialogs({ actions }: Props) {
  const { confirming } = actions
  return (
    <>
      <RightsDialog actions={actions} />
      {confirming?.action === 'block' && <BlockDialog actions={actions} user={confirming.user} />}
      {confirming?.action === 'unblock' && (
        <ReasonDialog
          title="Unblock this account?"
          about={`${confirming.user.name} (${confirming.user.email}) will be able to log in again.`}
          hint="Only admins can read this. It’s kept in the audit log."
          confirmText="Unblock"
          busyText="Unblocking…"
          busy={actions.isBusy}
          error={actions.refusal}
          onConfirm={(reason) => actions.unblock(confirming.user, reason)}
          onCancel={actions.close}
        />
      )}
    </>
  )
}
