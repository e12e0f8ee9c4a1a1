import { Link } from 'react-router'
import type { AuditEntry } from '#contracts/audit.ts'
import { EmailText } from '#web/components/email-text.tsx'
import { shortMoment } from '#web/lib/moments.ts'
import type { ListAddress } from '#web/lib/use-list-address.ts'
import { SubjectLink } from './subject-link.tsx'

type Props = { address: ListAddress; lines: AuditEntry[] }

/** No user acted: the card provider reported it. */
export const byWhom = (line: AuditEntry) => line.by ?? 'card provider'

/** Actions as a table, newest first. */
export function AuditLogTable({ address, lines }: Props) {
  const isAboutOne = address.read('about') !== ''
  return (
    <table className="list-table record-list">
      <caption className="sr-only">Who did what, newest first</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">Action</th>
          <th scope="col">About</th>
          {!isAboutOne && (
            <th scope="col">
              <span className="sr-only">Filter</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line._id}>
            <td className="record-when text-dim">
              <time dateTime={line.at}>{shortMoment(line.at)}</time>
            </td>
            <td className="record-who">
              <EmailText email={byWhom(line)} />
            </td>
            <td className="audit-action">
              <span className="font-semibold">{line.action}</span>
              {line.note && <p className="text-dim text-sm">{line.note}</p>}
            </td>
            <td className="record-about">
              <SubjectLink about={line.about} name={line.name} />
            </td>
            {!isAboutOne && (
              <td className="record-only">
                <Link
                  {...address.link({ about: line.about })}
                  className="link text-sm"
                  aria-label={`Only this: ${line.name}`}
                >
                  Only this
                </Link>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
