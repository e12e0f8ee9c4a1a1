import type { AuditFilter, AuditList } from '#contracts/audit.ts'
import { api } from '#web/lib/api.ts'
import { csvDecimals } from '#web/lib/csv-decimals.ts'
import { countQuery, pageQuery, rowsAsked } from '#web/lib/list-page.ts'

/** One page of the audit log, newest first, of everything or about one thing; asked again whenever it is looked at. */
export const auditLogQuery = (page: Pick<AuditList, 'about' | 'after'>) =>
  pageQuery('audit-log', page, (options) =>
    api.audit.$get({ query: { ...page, limit: String(rowsAsked) } }, options),
  )

export const auditLogCountQuery = (filter: AuditFilter) =>
  countQuery('audit-log', filter, (options) => api.audit.count.$get({ query: filter }, options))

/** The whole record as CSV, or what it says about one thing. */
export const auditLogCsv = ({ about }: Pick<AuditList, 'about'>): Promise<Response> =>
  api['audit.csv'].$get({ query: { ...(about && { about }), decimals: csvDecimals() } })
