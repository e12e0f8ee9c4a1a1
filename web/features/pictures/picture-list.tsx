import { ArrowDown, ArrowUp, ArrowUpToLine, GripVertical, ImagePlus, Trash2 } from 'lucide-react'
import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { altOf } from '#contracts/catalogue.ts'
import { isDrawing } from '#contracts/drawings.ts'
import { type PartPicture, pictureLimits, pictureMessages } from '#contracts/pictures.ts'
import { DropZone } from '#web/components/drop-zone.tsx'
import { Field } from '#web/components/field.tsx'
import { Picture } from '#web/components/picture.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { isUploading, type PartForm, picturesJson } from '#web/features/catalogue/part-form.tsx'
import { accepted, usePictureUpload, useUploadQueue } from './picture-input.tsx'

type Form = Pick<UseFormReturn<PartForm>, 'getValues' | 'setValue'>
type PictureFields = Pick<PartForm, 'image' | 'imageAlt' | 'morePictures'>

/** A part's own pictures in its form, without the drawing of its kind. */
function picturesIn({ image, imageAlt, morePictures }: PictureFields): PartPicture[] {
  const more: PartPicture[] = JSON.parse(morePictures)
  if (image === '' || (isDrawing(image) && more.length === 0)) return []
  return [{ image, alt: imageAlt }, ...more]
}

/**
 * The pictures of a part's form: the first, which the Image field shows, and the others.
 * @param none the `image` of a part without pictures
 */
export function usePictures(form: Form, none: string) {
  const put = (name: keyof PictureFields, value: string) => {
    if (form.getValues(name) === value) return
    form.setValue(name, value, { shouldDirty: true, shouldValidate: name === 'image' })
  }
  const uploading = usePictureUpload(
    (url) => {
      put('image', url)
      // the alternative text described another picture
      put('imageAlt', '')
    },
    (files) => add(files),
  )
  const isFirstComing = useRef(false)
  useLayoutEffect(() => {
    isFirstComing.current = isUploading(uploading.upload)
  })

  function set(pictures: PartPicture[]): void {
    const [first, ...more] = pictures
    if ((first?.image ?? none) !== form.getValues('image')) uploading.clear()
    put('image', first?.image ?? none)
    put('imageAlt', first?.alt ?? '')
    put('morePictures', picturesJson(more))
  }

  function append(url: string): void {
    const picture = { image: url, alt: '' }
    const values = form.getValues()
    if (isFirstComing.current)
      put('morePictures', picturesJson([...JSON.parse(values.morePictures), picture]))
    else set([...picturesIn(values), picture])
  }

  const queue = useUploadQueue(append)

  /** Adds as many pictures as the part may still have. */
  function add(files: File[]): void {
    const count = picturesIn(form.getValues()).length + queue.items.length
    queue.add(files, Math.max(0, pictureLimits.ofPart - count))
  }

  function clear(): void {
    uploading.clear()
    queue.clear()
  }

  return { uploading, queue, set, add, clear }
}

export type Pictures = ReturnType<typeof usePictures>

/** The list with one picture moved. */
const moved = (pictures: PartPicture[], from: number, to: number): PartPicture[] => {
  const others = pictures.toSpliced(from, 1)
  return pictures[from] ? others.toSpliced(to, 0, pictures[from]) : pictures
}

type RowProps = {
  picture: PartPicture
  place: number
  count: number
  /** The alternative text used while none is typed. */
  fallback: string
  onText: (alt: string) => void
  onMove: (to: number) => void
  onRemove: () => void
  isDragged: boolean
  onGrab: () => void
}

function PictureRow({ picture, place, count, fallback, isDragged, ...on }: RowProps) {
  const name = `picture ${place + 1}`
  return (
    <li
      className={`grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-2 border-line border-t py-3 ${isDragged ? 'bg-plate' : ''}`}
    >
      {/* assistive technology uses the buttons beside it instead */}
      <div
        // a finger drags the row instead of scrolling
        className="flex cursor-grab touch-none select-none items-center gap-1"
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.preventDefault()
          on.onGrab()
        }}
      >
        <GripVertical aria-hidden="true" className="size-4 text-dim" />
        {/* otherwise the browser drags the image as a file */}
        <span className="pointer-events-none block w-20 thumb">
          <Picture src={picture.image} alt="" sizes="80px" />
        </span>
      </div>
      <div className="flex flex-wrap justify-end gap-1.5">
        <RowButton
          id={`${picture.image}-up`}
          off={place === 0}
          aria-label={`Move ${name} up`}
          onClick={() => on.onMove(place - 1)}
        >
          <ArrowUp aria-hidden="true" className="size-4" />
        </RowButton>
        <RowButton
          id={`${picture.image}-down`}
          off={place === count - 1}
          aria-label={`Move ${name} down`}
          onClick={() => on.onMove(place + 1)}
        >
          <ArrowDown aria-hidden="true" className="size-4" />
        </RowButton>
        {place > 1 && (
          <RowButton aria-label={`Make ${name} the first`} onClick={() => on.onMove(0)}>
            <ArrowUpToLine aria-hidden="true" className="size-4" />
          </RowButton>
        )}
        <RowButton aria-label={`Remove ${name}`} onClick={on.onRemove}>
          <Trash2 aria-hidden="true" className="size-4" />
        </RowButton>
      </div>
      <Field
        className="col-span-2"
        label={`Alternative text for ${name}`}
        autoComplete="off"
        placeholder={fallback}
        maxLength={pictureLimits.alt}
        value={picture.alt}
        onChange={({ target }) => on.onText(target.value)}
      />
    </li>
  )
}

/** Pictures that are uploading, and failed ones. */
function Queue({ queue }: { queue: Pictures['queue'] }) {
  return (
    <ul>
      {queue.items.map(({ key, file, state, sentShare, message }) => (
        <li
          key={key}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-2"
        >
          <span className="min-w-0 flex-1 wrap-anywhere text-sm">{file.name}</span>
          {state === 'failed' ? (
            <>
              <span className="w-full text-danger text-sm">{message}</span>
              <RowButton aria-label={`Retry ${file.name}`} onClick={() => queue.retry(key)}>
                Retry
              </RowButton>
            </>
          ) : (
            <progress
              className="upload-progress"
              aria-label={`Upload of ${file.name}`}
              value={state === 'waiting' ? 0 : sentShare < 1 ? sentShare : undefined}
            />
          )}
          <RowButton aria-label={`Cancel ${file.name}`} onClick={() => queue.cancel(key)}>
            Cancel
          </RowButton>
        </li>
      ))}
    </ul>
  )
}

/** Distance from the window's edge at which a drag scrolls, and the step; in pixels. */
const edgePx = 90
const scrollPx = 14

/**
 * Drags a row of a list with mouse, pen or finger. It swaps with each row whose grip (the first
 * element) it passes.
 */
function useDrag(list: RefObject<HTMLElement | null>, onMove: (from: number, to: number) => void) {
  const [dragged, setDragged] = useState<number>()
  const isDragging = dragged !== undefined
  const drag = useEffectEvent((y: number) => {
    const grips = Array.from(list.current?.children ?? [], ({ firstElementChild: grip }) =>
      grip?.getBoundingClientRect(),
    )
    const isPast = (grip?: DOMRect) => grip !== undefined && grip.top + grip.height / 2 < y
    const to = grips.filter((grip, i) => i !== dragged && isPast(grip)).length
    if (dragged !== undefined && to !== dragged) {
      onMove(dragged, to)
      setDragged(to)
    }
    if (y < edgePx) window.scrollBy(0, -scrollPx)
    if (y > window.innerHeight - edgePx) window.scrollBy(0, scrollPx)
  })
  useEffect(() => {
    if (!isDragging) return
    const follow = ({ clientY }: PointerEvent) => drag(clientY)
    const end = () => setDragged(undefined)
    // on the window: the dragged row moves in the document, which ends a pointer capture
    window.addEventListener('pointermove', follow)
    window.addEventListener('pointerup', end)
    window.addEventListener('pointercancel', end)
    return () => {
      window.removeEventListener('pointermove', follow)
      window.removeEventListener('pointerup', end)
      window.removeEventListener('pointercancel', end)
    }
  }, [isDragging])
  return { dragged, grab: setDragged }
}

type ListProps = {
  pictures: Pictures
  /** The values of the form, as typed. */
  typed: PartForm
  error: string | undefined
}

/** Moves, removes and restores pictures of the list, and reports what it did. */
function useListEdits(pictures: PartPicture[], set: Pictures['set']) {
  const [status, setStatus] = useState('')
  const [removed, setRemoved] = useState<{ picture: PartPicture; place: number }>()
  const refocus = useRef('')

  // a row that moves may lose the focus of the button that moved it
  useLayoutEffect(() => {
    if (refocus.current) document.getElementById(refocus.current)?.focus()
    refocus.current = ''
  })

  return {
    status,
    canUndo: removed !== undefined,
    move(from: number, to: number): void {
      if (to < 0 || to >= pictures.length || to === from) return
      const { activeElement } = document
      if (activeElement?.id.startsWith('/images/')) refocus.current = activeElement.id
      set(moved(pictures, from, to))
      setStatus(`Picture ${from + 1} is now picture ${to + 1}.`)
    },
    remove(place: number): void {
      const picture = pictures[place]
      if (!picture) return
      set(pictures.toSpliced(place, 1))
      setRemoved({ picture, place })
      setStatus(`Picture ${place + 1} removed.`)
    },
    undo(): void {
      if (removed) set(pictures.toSpliced(removed.place, 0, removed.picture))
      setRemoved(undefined)
      setStatus('Picture restored.')
    },
  }
}

function AddPictures({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <DropZone
      multiple
      accept={accepted}
      zone="min-h-20"
      aria-label="Add pictures"
      onFiles={onFiles}
    >
      <p className="flex items-center gap-3 p-4">
        <ImagePlus aria-hidden="true" className="size-6 text-copper" />
        <span>
          <span className="block font-semibold">Add pictures</span>
          <span className="block text-dim text-sm">several at once, or drop them here</span>
        </span>
      </p>
    </DropZone>
  )
}

/** Every picture of the part in order, each with its alternative text, and a zone to add more. */
export function PictureList({ pictures: { queue, set, add }, typed, error }: ListProps) {
  const id = useId()
  const pictures = picturesIn(typed)
  const list = useRef<HTMLOListElement>(null)
  const { status, canUndo, move, remove, undo } = useListEdits(pictures, set)
  const { dragged, grab } = useDrag(list, move)
  const room = pictureLimits.ofPart - pictures.length - queue.items.length
  const fallback = (place: number) => {
    const part = altOf({ name: typed.name || 'Name', kind: typed.kind || 'kind' })
    return place === 0 ? part : `${part}, picture ${place + 1}`
  }
  // a new part starts with the Image field only
  if (typed.image === '' && queue.items.length === 0) return null
  return (
    <section aria-labelledby={`${id}-title`} className="mt-6 max-w-120">
      <h3 id={`${id}-title`} className="field-label">
        All pictures
      </h3>
      <p className="field-hint mb-2">
        The first picture appears on cards and in orders. Describe each one for people who can’t see
        it: “Its back with three DisplayPorts”.
      </p>
      <ol ref={list}>
        {pictures.map((picture, place) => (
          <PictureRow
            key={picture.image}
            picture={picture}
            place={place}
            count={pictures.length}
            fallback={fallback(place)}
            onText={(alt) => set(pictures.with(place, { ...picture, alt }))}
            onMove={(to) => move(place, to)}
            onRemove={() => remove(place)}
            isDragged={dragged === place}
            onGrab={() => grab(place)}
          />
        ))}
      </ol>
      <div className="flex min-h-8 flex-wrap items-center gap-3">
        <p role="status" className="text-dim text-sm">
          {status}
        </p>
        {canUndo && room > 0 && <RowButton onClick={undo}>Undo</RowButton>}
      </div>
      <Queue queue={queue} />
      {room > 0 && <AddPictures onFiles={add} />}
      <p aria-live="polite" className="mt-2 text-danger text-sm empty:mt-0">
        {queue.isOver ? pictureMessages.tooMany : error}
      </p>
    </section>
  )
}
