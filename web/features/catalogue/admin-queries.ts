import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { KindEdit, KindMove, NewKind } from '#contracts/kind-edits.ts'
import { type PartFilter, PartList } from '#contracts/lists.ts'
import { messages } from '#contracts/messages.ts'
import {
  type AdminPart,
  gtinOf,
  type NewPart,
  type PartEdit,
  type PartMove,
} from '#contracts/parts.ts'
import type {
  BulkEdit,
  ImportEvent,
  ImportReport,
  importEvents,
  Supplier,
} from '#contracts/parts-csv.ts'
import { ApiError, api, callShop } from '#web/lib/api.ts'
import { offline } from '#web/lib/api-error.ts'
import {
  countQuery,
  csvDecimals,
  type ListPage,
  pageQuery,
  rowsAsked,
} from '#web/lib/lists/list-page.ts'
import { outdate } from '#web/lib/outdated.ts'
import { toast } from '#web/lib/toasts/toast.ts'

/** The filters of the parts list, by their names in the URL. */
export const partFilters = ['q', 'kind', 'misses', 'state'] as const

/** One page of the parts, refetched on each visit. */
export const adminPartsQuery = (filter: PartList) =>
  pageQuery('products', filter, (options) =>
    api.products.$get({ query: { ...filter, limit: rowsAsked } }, options),
  )

export const adminPartsCountQuery = (filter: PartFilter) =>
  countQuery('products', filter, (options) => api.products.count.$get({ query: filter }, options))

/**
 * The part that has this number; null when none has, or several. An EAN may be typed without its
 * leading zeros.
 */
export async function findByCode(client: QueryClient, typed: string): Promise<AdminPart | null> {
  for (const code of new Set([typed, gtinOf(typed)])) {
    const filter = PartList.parse({ q: code })
    const { rows } = await client.fetchQuery({ ...adminPartsQuery(filter), staleTime: 0 })
    const found = rows.filter(({ gtin, sku, mpn }) =>
      [gtin, sku, mpn].some((number) => number.toLowerCase() === code.toLowerCase()),
    )
    if (found[0]) return found.length === 1 ? found[0] : null
  }
  return null
}

/** POST /product. Returns the new part's id. */
export function useAddPart() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (part: NewPart) => {
      const answer = await (await api.product.$post({ json: part })).json()
      if (!answer.insertedId) throw new Error(messages.partFailed)
      return { _id: answer.insertedId, name: part.name, state: part.state }
    },
    onSuccess: () => outdate(client, 'addPart'),
  })
}

/** The kinds of parts, with their fields. */
export const kindsQuery = queryOptions({
  queryKey: ['kinds'],
  queryFn: async ({ signal }) => (await api.kinds.$get({}, { init: { signal } })).json(),
})

const named = (slug: string) => ({ slug: encodeURIComponent(slug) })

/** One kind, as its editor shows it. */
export const kindQuery = (slug: string) =>
  queryOptions({
    queryKey: ['kinds', slug],
    queryFn: async () => (await api.kinds[':slug'].$get({ param: named(slug) })).json(),
    staleTime: 0,
  })

/** POST /kinds. Returns the new kind's slug. */
export function useAddKind() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (json: NewKind) => (await (await api.kinds.$post({ json })).json()).slug,
    onSuccess: () => outdate(client, 'addKind'),
  })
}

/** PUT /kinds/{slug}. Returns the saved kind. */
export function useEditKind(slug: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (json: KindEdit) => {
      await api.kinds[':slug'].$put({ param: named(slug), json })
      return client.fetchQuery(kindQuery(slug))
    },
    onSuccess: () => outdate(client, 'editKind'),
  })
}

/**
 * PUT /kinds/{slug}/position. Moves run one after the other, because each builds on the previous
 * one.
 */
export function useMoveKind() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'order of kinds' },
    mutationFn: ({ slug, to }: { slug: string; to: KindMove }) =>
      api.kinds[':slug'].position.$put({ param: named(slug), json: to }),
    onError: (error) => void toast('error', error.message),
    onSettled: (_, error) => outdate(client, error ? 'moveKindRefused' : 'moveKind'),
  })
}

/** DELETE /kinds/{slug} */
export function useRemoveKind(slug: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.kinds[':slug'].$delete({ param: named(slug) }),
    onSuccess: () => outdate(client, 'removeKind'),
  })
}

/**
 * One part as admins edit it, deleted or not. Refetched on focus, because another admin may change
 * it.
 */
export const adminPartQuery = (id: string) =>
  queryOptions({
    queryKey: ['product', id],
    queryFn: async () => (await api.product[':id'].$get({ param: { id } })).json(),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

/**
 * Deletes or restores a part, and removes it at once from the list to which it no longer belongs.
 */
function useRemoval(change: (id: string) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (part: AdminPart) => change(part._id),
    onSuccess: (_, part) => {
      client.setQueriesData<ListPage<AdminPart>>({ queryKey: ['products'] }, (page) => {
        if (!page) return page
        const isOther = (row: AdminPart) =>
          row._id !== part._id || (row.deletedAt === null) !== (part.deletedAt === null)
        return { ...page, rows: page.rows.filter(isOther) }
      })
    },
    // success or failure, lists and counts are out of date
    onSettled: () => {
      void outdate(client, 'removePart')
    },
  })
}

/** DELETE /adminProduct/{id} */
export const useDeletePart = () =>
  useRemoval((id) => api.adminProduct[':id'].$delete({ param: { id } }))

/** POST /product/{id}/restore */
export const useRestorePart = () =>
  useRemoval((id) => api.product[':id'].restore.$post({ param: { id } }))

/**
 * PUT /product/{id}. The part is refetched afterwards, even after an error: another admin may have
 * changed it.
 */
export function useEditPart(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (json: PartEdit) => {
      await api.product[':id'].$put({ param: { id }, json })
    },
    onSettled: () => outdate(client, 'editPart'),
  })
}

const ledgerPage = 20

/**
 * A part's stock ledger, newest line first, loaded page by page. Its key is nested under the part's
 * key.
 */
export const ledgerQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['product', id, 'stock'],
    queryFn: async ({ pageParam: after }) => {
      const query = { limit: String(ledgerPage + 1), ...(after && { after }) }
      const lines = await (await api.product[':id'].stock.$get({ param: { id }, query })).json()
      return { lines: lines.slice(0, ledgerPage), hasMore: lines.length > ledgerPage }
    },
    initialPageParam: 0,
    getNextPageParam: ({ lines, hasMore }) => (hasMore ? lines.at(-1)?._id : undefined),
    staleTime: 0,
  })

/** All parts that match the filter as CSV. */
export const partsCsv = (filter: PartFilter): Promise<Response> =>
  api['products.csv'].$get({ query: { ...filter, decimals: csvDecimals() } })

/** A file to import, and its supplier. */
export type ImportInput = {
  file: Blob
  name: string
  supplier?: string | undefined
  accept?: 'all' | 'right'
  onProgress?: (progress: ImportProgress) => void
}
export type ImportProgress = { done: number; total: number }

const events: typeof importEvents = 'application/x-ndjson'

/**
 * Reads the streamed steps of an import up to its final report.
 * @throws ApiError when the import was refused or the response broke off
 */
async function readSteps(answer: Response, onProgress?: ImportInput['onProgress']) {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = (await reader?.read().catch(() => null)) ?? { done: true }
    if (done) throw offline()
    const lines = (text + value).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const event: ImportEvent = JSON.parse(line)
      if ('report' in event) return event.report
      if ('error' in event) throw new ApiError(answer.status, event.error)
      onProgress?.(event)
    }
  }
}

/** POST /products/import. A dry run reports what the import would do. */
export function useImportParts(dryRun: boolean) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ file, onProgress, ...options }: ImportInput): Promise<ImportReport> => {
      const query = Object.entries({ dryRun: String(dryRun), ...options }).filter(
        (each): each is [string, string] => each[1] !== undefined,
      )
      const answer = await callShop(`/api/products/import?${new URLSearchParams(query)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', ...(!dryRun && { accept: events }) },
        body: file,
      })
      return dryRun ? answer.json() : readSteps(answer, onProgress)
    },
    onSuccess: () => dryRun || outdate(client, 'importParts'),
  })
}

/** POST /products/bulk: without `shown` it is a preview. */
export function useBulkEdit() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (json: BulkEdit) => (await api.products.bulk.$post({ json })).json(),
    onSuccess: ({ batch }) => batch && outdate(client, 'editManyParts'),
  })
}

/** PUT /product/{id}/position. Returns the move that undoes it. */
export function useMovePart() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, to }: { id: string; to: PartMove }) => {
      const answer = await api.product[':id'].position.$put({ param: { id }, json: to })
      return (await answer.json()).back
    },
    onSettled: () => outdate(client, 'movePart'),
  })
}

/** PUT /supplier */
export const saveSupplier = (json: Supplier) => api.supplier.$put({ json })

/** The latest imports and bulk edits. */
export const batchesQuery = queryOptions({
  queryKey: ['batches'],
  queryFn: async ({ signal }) => (await api.batches.$get({}, { init: { signal } })).json(),
  staleTime: 0,
})

/** POST /batch/{id}/undo */
export function useUndoBatch() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) => (await api.batch[':id'].undo.$post({ param: { id } })).json(),
    onSettled: () => outdate(client, 'undoBatch'),
  })
}

/** The meanings of search words, and the searches without a result. */
export const wordsQuery = queryOptions({
  queryKey: ['words'],
  queryFn: async ({ signal }) => (await api.words.$get({}, { init: { signal } })).json(),
  staleTime: 0,
})

/** Sets the meaning of a word; null removes it. */
export function useExplainWord() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ word, means }: { word: string; means: string[] | null }) => {
      const param = { word: encodeURIComponent(word) }
      if (means) await api.words[':word'].$put({ param, json: { means } })
      else await api.words[':word'].$delete({ param })
    },
    onError: (error) => void toast('error', error.message),
    onSuccess: (_, { word, means }) =>
      void toast('success', means ? `“${word}” is known now.` : `“${word}” is forgotten.`),
    onSettled: () => outdate(client, 'explainWord'),
  })
}
