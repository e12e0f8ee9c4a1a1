import { dollars } from '#contracts/money.ts'
import { type EditableField, partField } from '#contracts/parts.ts'
import { Button } from '#web/components/button.tsx'
import { Picture } from '#web/components/picture.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import type { EditConflict } from './edit-conflict.ts'

function Value({ name, value }: { name: EditableField; value: string }) {
  const { format } = partField(name)
  if (format === 'picture') {
    return (
      <span className="thumb inline-block align-middle">
        <Picture src={value} alt="" sizes="80px" />
      </span>
    )
  }
  if (format === 'dollars' && /^\d+$/.test(value)) return <strong>{dollars(Number(value))}</strong>
  return <q className="break-words">{value}</q>
}

type Props = {
  changes: EditConflict[]
  onSettle: (change: EditConflict, take: 'mine' | 'theirs') => void
  onForget: () => void
}

/** What somebody else changed meanwhile, and the choice where both did. Nothing that was typed is lost by itself. */
export function EditConflictNotice({ changes, onSettle, onForget }: Props) {
  if (changes.length === 0) return null
  const isOpen = changes.some(({ mine }) => mine !== null)
  return (
    <div role="alert" className="their-changes">
      <p className="font-semibold">Somebody else changed this product meanwhile.</p>
      <p className="text-dim text-sm">
        {isOpen
          ? 'What you typed is still here and not saved. Choose, then save again.'
          : 'Their values are in the form now. What you typed is still here.'}
      </p>
      <ul className="mt-3 grid gap-3">
        {changes.map((change) => (
          <li key={change.name} className="their-change">
            <p className="min-w-0 flex-1">
              <span className="label block">{partField(change.name).label}</span>
              was <Value name={change.name} value={change.before} />, is now{' '}
              <Value name={change.name} value={change.theirs} />
              {change.mine !== null && (
                <>
                  ; you typed <Value name={change.name} value={change.mine} />
                </>
              )}
            </p>
            {change.mine !== null && (
              <p className="flex flex-wrap gap-2">
                <RowButton
                  aria-label={`Take theirs: ${partField(change.name).label}`}
                  onClick={() => onSettle(change, 'theirs')}
                >
                  Take theirs
                </RowButton>
                <RowButton
                  aria-label={`Keep mine: ${partField(change.name).label}`}
                  onClick={() => onSettle(change, 'mine')}
                >
                  Keep mine
                </RowButton>
              </p>
            )}
          </li>
        ))}
      </ul>
      {!isOpen && (
        <Button variant="quiet" className="mt-3" onClick={onForget}>
          Understood
        </Button>
      )}
    </div>
  )
}
