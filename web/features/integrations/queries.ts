import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Outcome } from '#contracts/api.ts'
import type { NewKey } from '#contracts/api-keys.ts'
import type { EndpointChange, NewEndpoint } from '#contracts/webhooks.ts'
import { api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'
import { toast } from '#web/lib/toasts/toast.ts'

/** Other admins and the shop itself change these, so they are refetched on each visit. */
const fresh = { staleTime: 0, gcTime: 0 } as const

export const keysQuery = queryOptions({
  queryKey: ['integrations', 'keys'],
  queryFn: async ({ signal }) => (await api.keys.$get({}, { init: { signal } })).json(),
  ...fresh,
})

export const webhooksQuery = queryOptions({
  queryKey: ['integrations', 'webhooks'],
  queryFn: async ({ signal }) => (await api.webhooks.$get({}, { init: { signal } })).json(),
  ...fresh,
})

/** The latest messages of a webhook. */
export const messagesQuery = (id: string) =>
  queryOptions({
    queryKey: ['integrations', 'messages', id],
    queryFn: async ({ signal }) =>
      (await api.webhook[':id'].messages.$get({ param: { id } }, { init: { signal } })).json(),
    ...fresh,
  })

/** Refetches the lists after each change, even a failed one. */
function useChange<Input, Answer>(
  change: (input: Input) => Promise<Answer>,
  onAnswer: (answer: Answer) => void = () => {},
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: onAnswer,
    onSettled: () => outdate(client, 'changeIntegration'),
  })
}

/** The same for actions without a form: a toast shows the error. */
function useAct<Input, Answer>(
  change: (input: Input) => Promise<Answer>,
  onAnswer: (answer: Answer) => void,
) {
  const act = useChange(change, onAnswer)
  const mutate = (input: Input, options?: { onSuccess?: (answer: Answer) => void }) =>
    act.mutate(input, { ...options, onError: ({ message }) => void toast('error', message) })
  return { ...act, mutate }
}

const toastOutcome = ({ done, outcome }: Outcome) =>
  void toast(done ? 'success' : 'warning', outcome)
const say = (words: string) => () => void toast('success', words)

export const useMakeKey = () =>
  useChange(async (json: NewKey) => (await api.key.$post({ json })).json())
export const useRevokeKey = () =>
  useAct(
    async (id: string) => (await api.key[':id'].$delete({ param: { id } })).json(),
    say('Key revoked.'),
  )

export const useAddWebhook = () =>
  useChange(async (json: NewEndpoint) => (await api.webhook.$post({ json })).json())
export const useChangeWebhook = (id: string) =>
  useChange(
    async (json: EndpointChange) => (await api.webhook[':id'].$put({ param: { id }, json })).json(),
    say('Webhook changed.'),
  )
export const useSwitchWebhook = (id: string) =>
  useAct(
    async (json: EndpointChange) => (await api.webhook[':id'].$put({ param: { id }, json })).json(),
    say('Webhook changed.'),
  )
export const useDeleteWebhook = () =>
  useAct(
    async (id: string) => (await api.webhook[':id'].$delete({ param: { id } })).json(),
    say('Webhook deleted.'),
  )
export const useNewSecret = (id: string) =>
  useAct(
    async () => (await api.webhook[':id'].secret.$post({ param: { id } })).json(),
    say('The new secret signs messages from now on. The previous one also works for one more day.'),
  )
export const useTestWebhook = (id: string) =>
  useAct(async () => (await api.webhook[':id'].test.$post({ param: { id } })).json(), toastOutcome)
export const useSendAgain = (id: string) =>
  useAct(
    async () => (await api.webhook.message[':id'].resend.$post({ param: { id } })).json(),
    toastOutcome,
  )
