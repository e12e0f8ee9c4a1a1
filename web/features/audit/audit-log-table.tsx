import { Link } from 'react-router'
import { type AuditEntry, subjectOf } from '#contracts/audit.ts'
import { EmailText } from '#web/components/email-text.tsx'
import { ListTable } from '#web/components/list-table.tsx'
import { shortMoment } from '#web/lib/moments.ts'
import type { ListAddress } from '#web/lib/use-list-address.ts'

const kinds = { order: 'Order', part: 'Part', user: 'User', review: 'Review by' } as const

function pageOf(about: string): string | null {
  const subject = subjectOf(about)
  if (subject?.type === 'order') return `/dashboard/order/${subject.key}`
  if (subject?.type === 'part') return `/dashboard/products/${subject.key}`
  if (subject?.type === 'review') return `/dashboard/manageReviews?q=${subject.key}`
  return subject && `/dashboard/users?q=${encodeURIComponent(subject.key)}`
}

/** What an action concerned: its type and name, leading to where it is looked after. */
function SubjectLink({ about, name }: { about: string; name: string }) {
  const type = subjectOf(about)?.type
  const page = pageOf(about)
  return (
    <>
      {type && <span className="text-dim">{kinds[type]} </span>}
      {page ? (
        <Link to={page} className="row-link">
          {name}
        </Link>
      ) : (
        name
      )}
    </>
  )
}

type Props = { address: ListAddress; lines: AuditEntry[] }

/** No user acted: the card provider reported it. */
export const byWhom = (line: AuditEntry) => line.by ?? 'card provider'

/** Actions as a table, newest first. */
export function AuditLogTable({ address, lines }: Props) {
  const isAboutOne = address.read('about') !== ''
  return (
    <ListTable
      caption="Who did what, newest first"
      head={
        <>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">Action</th>
          <th scope="col">About</th>
          {!isAboutOne && (
            <th scope="col">
              <span className="sr-only">Filter</span>
            </th>
          )}
        </>
      }
    >
      {lines.map((line) => (
        <tr
          key={line._id}
          className="grid-cols-[1fr_auto] [grid-template-areas:'action_only'_'about_about'_'who_who'_'when_when']"
        >
          <td className="text-[0.8125rem] text-dim [grid-area:when] wide:w-36 wide:whitespace-nowrap">
            <time dateTime={line.at}>{shortMoment(line.at)}</time>
          </td>
          <td className="text-[0.875rem] [grid-area:who] wide:min-w-44">
            <EmailText email={byWhom(line)} />
          </td>
          <td className="[grid-area:action] wide:min-w-44">
            <span className="font-semibold">{line.action}</span>
            {line.note && <p className="text-dim text-sm">{line.note}</p>}
          </td>
          <td className="[grid-area:about] wide:min-w-40">
            <SubjectLink about={line.about} name={line.name} />
          </td>
          {!isAboutOne && (
            <td className="[grid-area:only] wide:whitespace-nowrap">
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
    </ListTable>
  )
}
