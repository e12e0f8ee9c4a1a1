import { Monitor, Smartphone } from 'lucide-react'
import { deviceText, type SessionInfo } from '#contracts/account.ts'
import { RowButton } from '#web/components/row-button.tsx'
import { shortMoment } from '#web/lib/moments.ts'

type Props = { session: SessionInfo; busy: boolean; onEnd: () => void }

/** On one line where there is room for it. */
const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} className="inline-block">
    {shortMoment(at)}
  </time>
)

/** One device: what it is, when it was last here, and its end. */
export function SessionRow({ session, busy, onEnd }: Props) {
  const { current, handheld, lastSeenAt, signedInAt } = session
  const Icon = handheld ? Smartphone : Monitor
  const words = deviceText(session)
  return (
    <li
      className="grid grid-cols-[auto_1fr_auto] items-center gap-4 border-line py-4 not-first:border-t"
      aria-current={current || undefined}
    >
      <Icon aria-hidden="true" className={`size-6 ${current ? 'text-copper' : 'text-dim'}`} />
      <div className="min-w-0">
        <p className="font-medium">{words}</p>
        <p className="text-dim text-sm">
          {current ? (
            <>
              Signed in <Moment at={signedInAt} />
            </>
          ) : (
            <>
              Last seen <Moment at={lastSeenAt} />
            </>
          )}
        </p>
      </div>
      {current ? (
        <p className="whitespace-nowrap font-medium text-[0.875rem] text-copper">This device</p>
      ) : (
        <RowButton
          busy={busy}
          aria-label={`End: ${words}, last seen ${shortMoment(lastSeenAt)}`}
          onClick={onEnd}
        >
          End
        </RowButton>
      )}
    </li>
  )
}
