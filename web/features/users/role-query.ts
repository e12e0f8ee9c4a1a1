import { queryOptions } from '@tanstack/react-query'
import { api } from '#web/lib/api.ts'

/** Is whoever goes by this address an admin? */
export const roleQuery = (email: string) =>
  queryOptions({
    queryKey: ['admin', email],
    queryFn: async () =>
      (await (await api.admin[':email'].$get({ param: { email } })).json()).admin,
  })
