import { useState } from 'react'
import type { ListedUser } from '#contracts/users.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { ReasonDialog } from '#web/components/reason-dialog.tsx'
import type { Asked, UserActions } from './use-user-actions.ts'

type Props = { actions: UserActions }

const rightsWords = {
  'make-admin': {
    title: 'Make this user an admin?',
    confirmText: 'Make admin',
    text: ({ name, email }: ListedUser) =>
      `${name} (${email}) can then do all that you can: change prices and stock, give money back, make and remove admins.`,
  },
  'remove-rights': {
    title: 'Remove admin rights?',
    confirmText: 'Remove rights',
    text: ({ email }: ListedUser) => `${email} loses them with the next click there.`,
  },
} as const

type RightsAsked = Asked & { action: keyof typeof rightsWords }
const isAboutRights = (asked: Asked | null): asked is RightsAsked =>
  asked !== null && asked.action in rightsWords

function RightsDialog({ actions }: Props) {
  const asked = isAboutRights(actions.asked) ? actions.asked : null
  const [shown, setShown] = useState(asked)
  // the words stay while the dialog closes
  if (asked && asked !== shown) setShown(asked)
  const words = shown && rightsWords[shown.action]
  function confirm() {
    if (asked?.action === 'make-admin') actions.makeAdmin(asked.user)
    if (asked?.action === 'remove-rights') actions.removeRights(asked.user)
  }
  return (
    <ConfirmDialog
      open={asked !== null}
      title={words?.title ?? ''}
      confirmText={words?.confirmText}
      busy={actions.isBusy}
      onCancel={actions.close}
      onConfirm={confirm}
    >
      {shown && words?.text(shown.user)}
    </ConfirmDialog>
  )
}

function BlockDialog({ actions, user }: Props & { user: ListedUser }) {
  const [hideReviews, setHideReviews] = useState(false)
  return (
    <ReasonDialog
      title="Block this account?"
      about={`${user.name} (${user.email}) is logged out everywhere and can not log in until you unblock the account. Orders stay as they are.`}
      hint="Only admins read it. It is kept in the audit log."
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
        Hide the reviews of this account too
      </label>
    </ReasonDialog>
  )
}

/** The dialogs in which an admin gives and takes rights, blocks and unblocks. */
export function UserDialogs({ actions }: Props) {
  const { asked } = actions
  return (
    <>
      <RightsDialog actions={actions} />
      {asked?.action === 'block' && <BlockDialog actions={actions} user={asked.user} />}
      {asked?.action === 'unblock' && (
        <ReasonDialog
          title="Unblock this account?"
          about={`${asked.user.name} (${asked.user.email}) can log in again.`}
          hint="Only admins read it. It is kept in the audit log."
          confirmText="Unblock"
          busyText="Unblocking…"
          busy={actions.isBusy}
          error={actions.refusal}
          onConfirm={(reason) => actions.unblock(asked.user, reason)}
          onCancel={actions.close}
        />
      )}
    </>
  )
}
