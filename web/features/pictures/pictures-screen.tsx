import { Images } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { counted, whole } from '#contracts/counted.ts'
import type { PictureFailure, PictureMatches } from '#contracts/picture-queue.ts'
import { Button } from '#web/components/button.tsx'
import { DropZone } from '#web/components/drop-zone.tsx'
import { Select } from '#web/components/field.tsx'
import { ListTable } from '#web/components/list-frame.tsx'
import { Figure, shownFirst } from '#web/features/imports/batch-parts.tsx'
import { shortMoment } from '#web/lib/moments.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import {
  type Choice,
  type ChosenPicture,
  type Problem,
  type Sending,
  usePictureFailures,
  usePictureQueue,
  useSendPictures,
} from './send-pictures.ts'

export const meta = titled('Pictures')

const byWords: Record<NonNullable<PictureMatches[number]['by']>, string> = {
  sku: 'SKU',
  gtin: 'EAN',
  mpn: 'Manufacturer’s number',
  number: 'Our number',
  name: 'Name',
}

function Matched({ pictures }: { pictures: ChosenPicture[] }) {
  const [all, setAll] = useState(false)
  if (pictures.length === 0) return null
  const shownPictures = all ? pictures : pictures.slice(0, shownFirst)
  return (
    <section aria-label="Matched" className="mt-8">
      <div className="@container/list">
        <ListTable
          caption="Pictures and their products"
          head={
            <>
              <th scope="col">File</th>
              <th scope="col">Product</th>
              <th scope="col">Found by</th>
            </>
          }
        >
          {shownPictures.map(({ id, file, match }) => (
            <tr
              key={id}
              className="grid-cols-[1fr_auto] [grid-template-areas:'name_name'_'part_by'] wide:*:h-11"
            >
              <td className="font-semibold [grid-area:name] [overflow-wrap:anywhere]">
                {file.name}
              </td>
              <td className="break-words [grid-area:part]">{match.parts[0]?.name}</td>
              <td className="text-dim text-sm [grid-area:by]">{match.by && byWords[match.by]}</td>
            </tr>
          ))}
        </ListTable>
      </div>
      {shownPictures.length < pictures.length && (
        <Button variant="quiet" className="mt-5" onClick={() => setAll(true)}>
          Show all {whole(pictures.length)}
        </Button>
      )}
    </section>
  )
}

type SeveralProps = { pictures: ChosenPicture[]; onAssign: (id: number, partId: string) => void }

/** Names that match several products, for the admin to choose one. */
function Several({ pictures, onAssign }: SeveralProps) {
  if (pictures.length === 0) return null
  return (
    <section aria-labelledby="several" className="mt-8">
      <h2 id="several" className="font-semibold">
        Several products match
      </h2>
      <p className="mt-1 mb-3 text-dim text-sm">Files you leave open aren’t sent.</p>
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        {pictures.slice(0, shownFirst).map(({ id, file, match, partId }) => (
          <Select
            key={id}
            label={<span className="[overflow-wrap:anywhere]">{file.name}</span>}
            value={partId}
            choices={{
              '': 'Not sent',
              ...Object.fromEntries(match.parts.map((part) => [part._id, part.name])),
            }}
            onChange={(next) => onAssign(id, next)}
          />
        ))}
      </div>
    </section>
  )
}

/** Files that will not be sent, each with the reason. */
function Problems({ title, problems }: { title: string; problems: Problem[] }) {
  if (problems.length === 0) return null
  return (
    <details className="mt-6">
      <summary className="min-h-11 cursor-pointer content-center font-semibold">{title}</summary>
      <ul className="mt-2 grid gap-1 text-sm">
        {problems.slice(0, 200).map(({ name, message }, i) => (
          <li key={i} className="[overflow-wrap:anywhere]">
            {name}: {message}
          </li>
        ))}
      </ul>
    </details>
  )
}

const unmatchedText = 'No product has that number or name.'

type PlanProps = { choice: Choice; onSend: () => void; onAssign: SeveralProps['onAssign'] }

/** What would be sent. Nothing is sent before the admin confirms. */
function Plan({ choice: { pictures, problems }, onSend, onAssign }: PlanProps) {
  const ready = pictures.filter(({ partId }) => partId !== '')
  const sure = pictures.filter(({ match }) => match.parts.length === 1)
  const several = pictures.filter(({ match }) => match.parts.length > 1)
  const unmatched = pictures.filter(({ match }) => match.parts.length === 0)
  const products = new Set(ready.map(({ partId }) => partId)).size
  return (
    <section aria-label="What would be sent" className="mt-8">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Figure name="Matched" value={sure.length} />
        {several.length > 0 && <Figure name="Several fit" value={several.length} />}
        <Figure name="Unmatched" value={unmatched.length} />
        {problems.length > 0 && <Figure name="No pictures" value={problems.length} />}
      </dl>
      <p role="status" className="mt-5 font-semibold">
        {ready.length > 0
          ? `${counted(ready.length, 'picture')} for ${counted(products, 'product')}. Nothing is sent yet.`
          : 'No file name matches a product. Name files by SKU, EAN, manufacturer’s number or product name.'}
      </p>
      {ready.length > 0 && (
        <Button className="mt-4" onClick={onSend}>
          Add {counted(ready.length, 'picture')}
        </Button>
      )}
      <Several pictures={several} onAssign={onAssign} />
      <Problems
        title={`${counted(unmatched.length, 'file')} without a product`}
        problems={unmatched.map(({ file }) => ({ name: file.name, message: unmatchedText }))}
      />
      <Problems title={`${counted(problems.length, 'file')} left out`} problems={problems} />
      <Matched pictures={sure} />
    </section>
  )
}

type ProgressProps = {
  state: Extract<Sending, { phase: 'sending' | 'sent' }>
  onStop: () => void
  onMore: () => void
}

function SendProgress({ state, onStop, onMore }: ProgressProps) {
  const { phase, sentCount, there, total, problems } = state
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const isSending = phase === 'sending'
  const finishedCount = sentCount + problems.length
  return (
    <section aria-labelledby="sending" className="card p-5 sm:p-8">
      <h2 id="sending" ref={heading} tabIndex={-1} className="font-semibold text-xl">
        {isSending
          ? `Sending ${whole(finishedCount)} of ${counted(total, 'picture')}`
          : `${whole(sentCount)} of ${counted(total, 'picture')} sent`}
      </h2>
      {isSending && (
        <progress className="upload-progress" aria-label="Sent" value={finishedCount} max={total} />
      )}
      <p role="status" className="mt-2 text-dim">
        {isSending
          ? 'You can keep using the shop. Just leave it open in this tab until everything is sent.'
          : `We’ll add them in the background. You can carry on or close this page.${there > 0 ? ` Your products already show ${counted(there, 'picture')} of these.` : ''}`}
      </p>
      <Problems title={`${counted(problems.length, 'file')} not sent`} problems={problems} />
      <p className="mt-5">
        {isSending ? (
          <Button variant="quiet" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button variant="quiet" onClick={onMore}>
            Add more pictures
          </Button>
        )}
      </p>
    </section>
  )
}

function FailureRow({
  failure: { partId, partName, name, reason, at },
}: {
  failure: PictureFailure
}) {
  return (
    <tr className="grid-cols-[1fr_auto] [grid-template-areas:'part_at'_'name_name'_'why_why']">
      <td className="[grid-area:part]">
        <Link to={`/dashboard/products/${partId}`} className="row-link">
          {partName}
        </Link>
      </td>
      <td className="text-sm [grid-area:name] [overflow-wrap:anywhere]">{name}</td>
      <td className="[grid-area:why]">{reason}</td>
      <td className="text-dim text-sm [grid-area:at]">{shortMoment(at)}</td>
    </tr>
  )
}

/** The shop's picture queue, shared by all admins. */
function Queue() {
  const { data } = usePictureQueue()
  const failures = usePictureFailures()
  if (!data || data.waiting + data.added + data.failed === 0) return null
  const { waiting, added, failed } = data
  const all = waiting + added + failed
  return (
    <section aria-labelledby="queue" className="mt-10">
      <h2 id="queue" className="mb-3 font-semibold text-2xl tracking-tight">
        In the background
      </h2>
      <p role="status">
        {waiting > 0
          ? `${whole(added)} of ${counted(all, 'picture')} added, ${whole(waiting)} on the way.`
          : `${counted(added, 'picture')} added in the last day; none on the way.`}
        {failed > 0 && ` ${counted(failed, 'picture')} failed.`}
      </p>
      {waiting > 0 && (
        <progress className="upload-progress" aria-label="Added" value={added + failed} max={all} />
      )}
      {failed > 0 && (
        <>
          <div className="@container/list mt-6">
            <ListTable
              caption="Pictures that failed"
              head={
                <>
                  <th scope="col">Product</th>
                  <th scope="col">File or address</th>
                  <th scope="col">Problem</th>
                  <th scope="col">When</th>
                </>
              }
            >
              {data.failures.map((failure) => (
                <FailureRow key={failure._id} failure={failure} />
              ))}
            </ListTable>
          </div>
          <p className="mt-5 flex flex-wrap gap-3">
            {data.failures.some(({ canRetry }) => canRetry) && (
              <Button
                variant="quiet"
                loading={failures.isPending && failures.variables === 'retry'}
                onClick={() => failures.mutate('retry')}
              >
                Try again
              </Button>
            )}
            <Button
              variant="quiet"
              loading={failures.isPending && failures.variables === 'dismiss'}
              onClick={() => failures.mutate('dismiss')}
            >
              Clear the list
            </Button>
          </p>
        </>
      )}
      <p role="alert" className="text-danger empty:hidden">
        {failures.error?.message}
      </p>
    </section>
  )
}

function ChooseFiles({ state, onFiles }: { state: Sending; onFiles: (files: File[]) => void }) {
  const id = useId()
  const problem = state.phase === 'refused' ? state.message : ''
  return (
    <div className="card p-5 sm:p-8">
      <label htmlFor={id} className="field-label">
        Pictures or a ZIP of them
      </label>
      <p id={`${id}-hint`} className="field-hint">
        JPEG, PNG or WebP, named by SKU, EAN, manufacturer’s number, our number or the product’s
        name. FAN-140-2.jpg is the second picture of FAN-140.
      </p>
      <DropZone
        id={id}
        zone="min-h-38"
        multiple
        accept="image/jpeg,image/png,image/webp,.zip,application/zip"
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint ${id}-error ${id}-status`}
        onFiles={onFiles}
      >
        <p className="grid justify-items-center gap-1.5 p-6 text-center">
          <Images aria-hidden="true" className="size-8 text-copper" />
          <span className="font-semibold">Choose pictures or a ZIP</span>
          <span className="text-dim text-sm">or drop them here</span>
        </p>
      </DropZone>
      {/* always rendered, so that a message moves nothing */}
      <div className="min-h-11 py-3">
        <p id={`${id}-status`} role="status" className="empty:hidden">
          {state.phase === 'reading' && 'Looking for their products…'}
        </p>
        <p id={`${id}-error`} role="alert" className="text-danger empty:hidden">
          {problem}
        </p>
      </div>
    </div>
  )
}

/** Pictures of many products at once: matched by file name, sent, and added in the background. */
export default function PicturesScreen() {
  const { state, choose, assign, send, stop, again } = useSendPictures()
  const leaving = useSignedOutUnlessAdmin(usePictureQueue().error)
  return (
    <section aria-labelledby="pictures">
      <p className="label">
        <Link
          to="/dashboard/manageProducts"
          className="inline-block min-h-6 hover:text-copper hover:underline"
        >
          Manage all products
        </Link>
      </p>
      <h1 id="pictures" tabIndex={-1} className="mb-5 text-4xl/[1.15] font-bold tracking-tight">
        Pictures
      </h1>
      {state.phase === 'sending' || state.phase === 'sent' ? (
        <SendProgress state={state} onStop={stop} onMore={again} />
      ) : (
        <ChooseFiles state={state} onFiles={(files) => void choose(files)} />
      )}
      {state.phase === 'chosen' && (
        <Plan choice={state} onSend={() => void send()} onAssign={assign} />
      )}
      {!leaving && <Queue />}
    </section>
  )
}
