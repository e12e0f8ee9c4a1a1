import { Minus, Plus, X } from 'lucide-react'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Icon } from '#web/components/icon.tsx'
import { Picture } from '#web/components/picture.tsx'
import { showModal } from '#web/lib/focus-fallback.ts'
import type { PagePicture } from './part-facts.ts'

/** The zoom levels: the picture's width as a multiple of the window's. */
const levels = [1, 2, 3] as const
/** The distance, in pixels, that counts as a swipe by finger, and as a drag by mouse. */
const [swipePx, dragPx] = [48, 4]

/** A point in the picture, as fractions of its width and height. */
type Point = { x: number; y: number }
const middle: Point = { x: 0.5, y: 0.5 }

/** The zoom level, and the point of the picture at the centre of the window. */
function useZoom() {
  const stage = useRef<HTMLDivElement>(null)
  const [{ level, point }, setZoom] = useState({ level: 0, point: middle })

  useLayoutEffect(() => {
    const { current: box } = stage
    if (!box) return
    box.scrollTo({
      left: point.x * box.scrollWidth - box.clientWidth / 2,
      top: point.y * box.scrollHeight - box.clientHeight / 2,
      behavior: 'instant',
    })
    // lets the arrow keys scroll it
    if (level > 0) box.focus()
  }, [level, point])

  const centre = (): Point => {
    const { current: box } = stage
    if (!box) return middle
    return {
      x: (box.scrollLeft + box.clientWidth / 2) / box.scrollWidth,
      y: (box.scrollTop + box.clientHeight / 2) / box.scrollHeight,
    }
  }
  const zoomTo = (next: number, at = centre()) => {
    if (next >= 0 && next < levels.length) setZoom({ level: next, point: at })
  }
  return { stage, level, zoomTo }
}

type Zoom = ReturnType<typeof useZoom>

/**
 * A click zooms in at its point, or back out. A mouse drags a zoomed picture; a finger swipes an
 * unzoomed one.
 */
function useGestures({ stage, level, zoomTo }: Zoom, step: (by: number) => void) {
  const down = useRef<{ x: number; y: number; moved: boolean }>(null)
  return {
    onPointerDown: ({ clientX: x, clientY: y }: PointerEvent) => {
      down.current = { x, y, moved: false }
    },
    onPointerMove: (event: PointerEvent) => {
      const { current: began } = down
      if (!began || event.pointerType !== 'mouse' || event.buttons !== 1) return
      if (Math.hypot(event.clientX - began.x, event.clientY - began.y) > dragPx) began.moved = true
      if (began.moved) stage.current?.scrollBy(-event.movementX, -event.movementY)
    },
    onPointerUp: ({ clientX, clientY, pointerType }: PointerEvent) => {
      const { current: began } = down
      if (!began || pointerType === 'mouse' || level > 0) return
      const [x, y] = [clientX - began.x, clientY - began.y]
      if (Math.abs(x) < swipePx || Math.abs(x) < Math.abs(y)) return
      began.moved = true
      step(x < 0 ? 1 : -1)
    },
    onClick: ({ clientX, clientY, currentTarget }: React.MouseEvent) => {
      if (down.current?.moved) return
      const { left, top, width, height } = currentTarget.getBoundingClientRect()
      zoomTo(level > 0 ? 0 : 1, { x: (clientX - left) / width, y: (clientY - top) / height })
    },
  }
}

type ControlProps = { label: string; disabled?: boolean; onClick: () => void; children: ReactNode }

function Control({ label, disabled, onClick, children }: ControlProps) {
  return (
    <button
      type="button"
      className="zoom-control"
      aria-label={label}
      // a disabled button would lose the focus
      aria-disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

type Props = { name: string; pictures: PagePicture[]; first: number; onClose: () => void }

type BarProps = {
  at: number
  count: number
  alt: string | undefined
  zoom: Zoom
  onClose: () => void
}

function ZoomBar({ at, count, alt, zoom: { level, zoomTo }, onClose }: BarProps) {
  const counter = `${at + 1} / ${count}`
  return (
    <div className="zoom-bar">
      <p className="mr-auto font-mono text-sm tabular-nums">
        <span role="status">
          <span className="sr-only">{`Picture ${counter}: ${alt}, ${levels[level]} times`}</span>
        </span>
        {count > 1 && <span aria-hidden="true">{counter}</span>}
      </p>
      <Control label="Zoom out" disabled={level === 0} onClick={() => zoomTo(level - 1)}>
        <Minus aria-hidden="true" />
      </Control>
      <Control
        label="Zoom in"
        disabled={level === levels.length - 1}
        onClick={() => zoomTo(level + 1)}
      >
        <Plus aria-hidden="true" />
      </Control>
      <Control label="Close" onClick={onClose}>
        <X aria-hidden="true" />
      </Control>
    </div>
  )
}

/** A part's pictures in a full-window dialog. It is open as long as it is rendered. */
export function GalleryZoom({ name, pictures, first, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [at, setAt] = useState(first)
  const zoom = useZoom()
  const { stage, level, zoomTo } = zoom
  useLayoutEffect(() => {
    const close = showModal(dialog.current)
    // the browser would focus Zoom out, which is inactive at first
    dialog.current?.querySelector<HTMLElement>('[aria-disabled="false"]')?.focus()
    return close
  }, [])

  const count = pictures.length
  const picture = pictures[at]
  const step = (by: number) => {
    setAt((at + by + count) % count)
    zoomTo(0, middle)
  }
  const gestures = useGestures(zoom, step)
  const keys: Record<string, () => void> = {
    '+': () => zoomTo(level + 1),
    '=': () => zoomTo(level + 1),
    '-': () => zoomTo(level - 1),
    '0': () => zoomTo(0),
    ...(level === 0 && { ArrowLeft: () => step(-1), ArrowRight: () => step(1) }),
  }
  const press = (event: KeyboardEvent) => {
    const does = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
    if (!does) return
    event.preventDefault()
    does()
  }
  return (
    <dialog
      ref={dialog}
      className="zoom"
      aria-label={`Pictures of ${name}`}
      onKeyDown={press}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <ZoomBar at={at} count={count} alt={picture?.alt} zoom={zoom} onClose={onClose} />
      <div
        ref={stage}
        className="zoom-stage"
        data-level={levels[level]}
        tabIndex={level > 0 ? 0 : -1}
        {...gestures}
      >
        {picture && (
          <Picture
            key={picture.image}
            src={picture.image}
            facts={picture.picture}
            alt={picture.alt}
            sizes={`${levels[level] ?? 1}00vw`}
            priority
          />
        )}
      </div>
      {count > 1 && (
        <div className="zoom-steps">
          <Control label="Previous picture" onClick={() => step(-1)}>
            <Icon of="left" />
          </Control>
          <Control label="Next picture" onClick={() => step(1)}>
            <Icon of="right" />
          </Control>
        </div>
      )}
    </dialog>
  )
}
