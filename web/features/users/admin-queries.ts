import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { UserFilter, UserList } from '#contracts/lists.ts'
import { messages } from '#contracts/messages.ts'
import type { StaffSession } from '#contracts/staff.ts'
import type { ListedUser, Role } from '#contracts/users.ts'
import { ApiError, api } from '#web/lib/api.ts'
import { countQuery, type ListPage, pageQuery, rowsAsked } from '#web/lib/lists/list-page.ts'
import { outdate } from '#web/lib/outdated.ts'
import { toast } from '#web/lib/toasts/toast.ts'

/** One page of the users; refetched each time an admin opens it. */
export const usersQuery = (filter: UserList) =>
  pageQuery('users', filter, (options) =>
    api.user.$get({ query: { ...filter, limit: rowsAsked } }, options),
  )

export const usersCountQuery = (filter: UserFilter) =>
  countQuery('users', filter, (options) => api.user.count.$get({ query: filter }, options))

/** Updates the rows at once; the list itself is refetched. */
function showRole(client: QueryClient, email: string, role: Role): void {
  client.setQueriesData<ListPage<ListedUser>>({ queryKey: ['users'] }, (page) => {
    if (!page) return page
    const rows = page.rows.map((user) => (user.email === email ? { ...user, role } : user))
    return { ...page, rows }
  })
}

function useRights(action: (user: ListedUser) => Promise<void>, role: Role) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: action,
    onSuccess: (_, { email }) => showRole(client, email, role),
    onSettled: () => {
      void outdate(client, 'changeRole')
    },
  })
}

/**
 * PUT /user/admin/{email}.
 * @throws Error with the message to show
 */
function useMakeAdmin() {
  return useRights(async ({ email }) => {
    try {
      await api.user.admin[':email'].$put({ param: { email } })
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status === 403
      throw isRefused ? new Error(messages.adminFailed) : error
    }
  }, 'admin')
}

/** PUT /user/packer/{email}. */
function useMakePacker() {
  return useRights(async ({ email }) => {
    await api.user.packer[':email'].$put({ param: { email } })
  }, 'packer')
}

/**
 * DELETE /user/admin/{email}, or /user/packer/{email}.
 * @throws ApiError LAST_ADMIN if no admin would be left
 */
function useRemoveRights() {
  return useRights(async ({ email, role }) => {
    const param = { email }
    if (role === 'packer') await api.user.packer[':email'].$delete({ param })
    else await api.user.admin[':email'].$delete({ param })
  }, 'customer')
}

type BlockRequest = { id: string; reason: string; hideReviews: boolean }

function useAccess(action: (request: BlockRequest) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: action,
    onSettled: () => {
      void outdate(client, 'blockUser')
    },
  })
}

/** POST /user/{id}/block */
const useBlockUser = () =>
  useAccess(({ id, ...json }) => api.user[':id'].block.$post({ param: { id }, json }))

/** POST /user/{id}/unblock */
const useUnblockUser = () =>
  useAccess(({ id, reason }) => api.user[':id'].unblock.$post({ param: { id }, json: { reason } }))

export type UserAction = 'make-admin' | 'make-packer' | 'remove-rights' | 'block' | 'unblock'
/** The action to confirm, and the user it applies to. */
export type Confirming = { action: UserAction; user: ListedUser }

/**
 * Grants and revokes rights, blocks and unblocks: a dialog confirms each action, a toast
 * reports it.
 */
export function useUserActions() {
  const make = useMakeAdmin()
  const makePacker = useMakePacker()
  const remove = useRemoveRights()
  const block = useBlockUser()
  const unblock = useUnblockUser()
  const [confirming, setConfirming] = useState<Confirming | null>(null)
  // a double click can arrive before the dialog shows that it is busy
  const working = useRef(false)
  const close = () => setConfirming(null)

  function changeRights(action: typeof make, user: ListedUser, message: string) {
    if (working.current) return
    working.current = true
    action.mutate(user, {
      onSuccess: () => toast('success', message),
      onError: (problem) => toast('error', problem.message),
      onSettled: () => {
        working.current = false
        close()
      },
    })
  }
  function changeAccess(action: typeof block, request: BlockRequest, message: string) {
    const onSuccess = () => {
      void toast('success', message)
      close()
    }
    action.mutate(request, { onSuccess })
  }
  return {
    confirming,
    ask(next: Confirming) {
      block.reset()
      unblock.reset()
      setConfirming(next)
    },
    close,
    isBusy: [make, makePacker, remove, block, unblock].some(({ isPending }) => isPending),
    /** Why blocking or unblocking failed: its dialog stays open. */
    refusal: (block.error ?? unblock.error)?.message,
    makeAdmin: (user: ListedUser) => changeRights(make, user, messages.adminMade),
    makePacker: (user: ListedUser) =>
      changeRights(makePacker, user, `${user.email} can now pack and ship`),
    removeRights: (user: ListedUser) =>
      changeRights(
        remove,
        user,
        `${user.email} is no longer ${user.role === 'packer' ? 'a packer' : 'an admin'}`,
      ),
    block: ({ _id, email }: ListedUser, reason: string, hideReviews: boolean) =>
      changeAccess(block, { id: _id, reason, hideReviews }, `${email} is blocked`),
    unblock: ({ _id, email }: ListedUser, reason: string) =>
      changeAccess(unblock, { id: _id, reason, hideReviews: false }, `${email} can log in again`),
  }
}

export type UserActions = ReturnType<typeof useUserActions>

/** The sessions of all admins and packers; refetched each time an admin opens them. */
export const staffSessionsQuery = queryOptions({
  queryKey: ['staff-sessions'],
  queryFn: async () => (await api['staff-sessions'].$get()).json(),
  staleTime: 0,
})

/** DELETE /staff-sessions/{id} */
export function useEndStaffSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ _id: id }: StaffSession) => {
      await api['staff-sessions'][':id'].$delete({ param: { id } })
    },
    // even a refusal tells that the list is old
    onSettled: () => outdate(client, 'endStaffSession'),
  })
}
