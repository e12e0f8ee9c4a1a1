import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AuditFilter, AuditList, subjectOf } from '#contracts/audit.ts'
import { ExportButton } from '#web/components/export-button.tsx'
import { ListFrame } from '#web/components/list-frame.tsx'
import { ListTools } from '#web/components/list-tools.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { filterOf, type ListAddress, useListAddress } from '#web/lib/lists/use-list-address.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { AuditLogTable, auditLogCountQuery, auditLogCsv, auditLogQuery } from './audit-log.tsx'

export const meta = titled('Audit log')

/**
 * Interprets the search text: an e-mail, an order's number or id, or a subject as the audit log
 * writes it.
 */
function subjectIn(words: string): string | undefined {
  return [words, `user:${words}`, `order:${words}`].find((about) => subjectOf(about))
}

/**
 * A search for one subject. A partial number matches nothing, so no request is sent until the text
 * is complete.
 */
function Tools({ address }: { address: ListAddress }) {
  const [isUnknown, setUnknown] = useState(false)
  function search(words: string) {
    const about = subjectIn(words) ?? ''
    setUnknown(words !== '' && !about)
    if (!words || about) address.change({ about }, { replace: true })
  }
  return (
    <>
      <ListTools
        address={address}
        search="About one email or order number"
        query={{
          value: address.read('about').replace(/^(user|order):/, ''),
          onSearch: search,
        }}
      />
      <p role="status" className="mt-1 min-h-5 text-dim text-sm">
        {isUnknown && 'Type the full email or the full number, like F-1042.'}
      </p>
    </>
  )
}

/** The audit log: which user did what to which order, part or user. */
export default function AuditLogScreen() {
  const address = useListAddress(['about'])
  const list = useQuery(auditLogQuery(filterOf(AuditList, address)))
  const leaving = useSignedOutUnlessAdmin(list.error)
  return (
    <ListFrame
      title="Audit log"
      tools={<Tools address={address} />}
      address={address}
      list={list}
      leaving={leaving}
      count={auditLogCountQuery(filterOf(AuditFilter, address))}
      noun={['action', 'actions']}
      end={
        <ExportButton name="audit-log" onExport={() => auditLogCsv(filterOf(AuditList, address))} />
      }
      empty={
        <EmptyState title="Nothing here yet">
          Everything admins do to orders, products and users is logged here.
        </EmptyState>
      }
    >
      {(lines) => <AuditLogTable address={address} lines={lines} />}
    </ListFrame>
  )
}
