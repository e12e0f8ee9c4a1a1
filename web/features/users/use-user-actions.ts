import { useRef, useState } from 'react'
import { messages } from '#contracts/messages.ts'
import type { ListedUser } from '#contracts/users.ts'
import { toast } from '#web/lib/toast.ts'
import {
  type BlockRequest,
  useBlockUser,
  useMakeAdmin,
  useRemoveRights,
  useUnblockUser,
} from './admin-queries.ts'

export type UserAction = 'make-admin' | 'remove-rights' | 'block' | 'unblock'
/** The action to confirm, and its user. */
export type Asked = { action: UserAction; user: ListedUser }

/** Gives and takes rights, blocks and unblocks: a dialog confirms each, a message reports it. */
export function useUserActions() {
  const make = useMakeAdmin()
  const remove = useRemoveRights()
  const block = useBlockUser()
  const unblock = useUnblockUser()
  const [asked, setAsked] = useState<Asked | null>(null)
  // a double click comes before the dialog shows that it is busy
  const working = useRef(false)
  const close = () => setAsked(null)

  function changeRights(action: typeof make, email: string, done: string) {
    if (working.current) return
    working.current = true
    action.mutate(email, {
      onSuccess: () => toast('success', done),
      onError: (problem) => toast('error', problem.message),
      onSettled: () => {
        working.current = false
        close()
      },
    })
  }
  function changeAccess(action: typeof block, request: BlockRequest, done: string) {
    const onSuccess = () => {
      void toast('success', done)
      close()
    }
    action.mutate(request, { onSuccess })
  }
  return {
    asked,
    ask(next: Asked) {
      block.reset()
      unblock.reset()
      setAsked(next)
    },
    close,
    isBusy: [make, remove, block, unblock].some(({ isPending }) => isPending),
    /** Why blocking or unblocking was refused: its dialog stays open. */
    refusal: (block.error ?? unblock.error)?.message,
    makeAdmin: ({ email }: ListedUser) => changeRights(make, email, messages.adminMade),
    removeRights: ({ email }: ListedUser) =>
      changeRights(remove, email, `${email} is no admin any more`),
    block: ({ _id, email }: ListedUser, reason: string, hideReviews: boolean) =>
      changeAccess(block, { id: _id, reason, hideReviews }, `${email} is blocked`),
    unblock: ({ _id, email }: ListedUser, reason: string) =>
      changeAccess(unblock, { id: _id, reason, hideReviews: false }, `${email} can log in again`),
  }
}

export type UserActions = ReturnType<typeof useUserActions>
