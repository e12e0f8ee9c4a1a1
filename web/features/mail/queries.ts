import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ResendRequest } from '#contracts/mail.ts'
import { api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'
import { toast } from '#web/lib/toasts/toast.ts'

/** The current state of mail. */
export const mailQuery = () =>
  queryOptions({
    queryKey: ['mail'],
    queryFn: async ({ signal }) => (await api.mail.$get({}, { init: { signal } })).json(),
    staleTime: 0,
    gcTime: 0,
  })

/** Refetches the list even after an error. */
function useAfterwards() {
  const client = useQueryClient()
  return {
    onError: (error: Error) => void toast('error', error.message),
    onSettled: () => outdate(client, 'changeMail'),
  }
}

const toastOutcome = ({ done, outcome }: { done: boolean; outcome: string }) =>
  void toast(done ? 'success' : 'warning', outcome)

/** The page shows the result. */
export function useTestMail() {
  return useMutation({
    mutationFn: async () => (await api.mail.test.$post()).json(),
    ...useAfterwards(),
  })
}

export function useResend(id: string) {
  return useMutation({
    mutationFn: async (json: ResendRequest) =>
      (await api.mail[':id'].resend.$post({ param: { id }, json })).json(),
    ...useAfterwards(),
    onSuccess: toastOutcome,
  })
}

export function useDismiss(id: string) {
  return useMutation({
    mutationFn: async () => (await api.mail[':id'].dismiss.$post({ param: { id } })).json(),
    ...useAfterwards(),
    onSuccess: () => void toast('success', 'Email dismissed.'),
  })
}
