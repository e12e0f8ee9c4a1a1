import { type MouseEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Icon } from './icon.tsx'

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/**
 * Tracks which slide of a horizontal track is visible. It follows swipes, the URL and links given
 * to `show`. Links scroll only the track, so the page does not jump, and replace the URL, so Back
 * leaves the page.
 * @param ids the slides' anchors, in order
 * @returns `arrows`: once scripts run, the slide whose arrows were shown until then; undefined
 * before that, while the links are plain anchors
 */
function useSlides(ids: string[]) {
  const track = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const [arrows, setArrows] = useState<number>()
  // the target slide of a link: slides passed on the way do not count
  const goal = useRef<number | null>(null)

  const follow = () => {
    const { scrollLeft = 0, clientWidth = 1 } = track.current ?? {}
    const visibleSlide = Math.round(scrollLeft / clientWidth)
    if (goal.current !== null && goal.current !== visibleSlide) return
    goal.current = null
    setCurrent(visibleSlide)
  }
  const settle = () => {
    goal.current = null
    follow()
  }
  const moveTo = (index: number, behavior: ScrollBehavior = 'auto') => {
    goal.current = index
    setCurrent(index)
    track.current?.scrollTo({ left: index * track.current.clientWidth, behavior })
  }
  const show = (event: MouseEvent<HTMLAnchorElement>) => {
    if (!isPlain(event)) return
    event.preventDefault()
    const { hash } = event.currentTarget
    history.replaceState(history.state, '', hash)
    moveTo(ids.indexOf(hash.slice(1)))
  }

  const begin = useEffectEvent(() => {
    // a visitor may have swiped or tabbed to another slide before the script loaded: keep that
    // slide
    const anchored = ids.indexOf(location.hash.slice(1))
    const focused = ids.findIndex((id) =>
      document.getElementById(id)?.contains(document.activeElement),
    )
    if (focused >= 0) moveTo(focused, 'instant')
    else if (anchored > 0 && !track.current?.scrollLeft) moveTo(anchored, 'instant')
    else follow()
    setArrows(Math.max(anchored, 0))
  })
  // in a separate task, so that a phone's first tap does not wait for it; flushed in that task, so
  // that no key press in between can move Tab to a slide that becomes inert
  useEffect(() => {
    const timer = setTimeout(() => flushSync(begin))
    return () => clearTimeout(timer)
  }, [])

  return { track, current, arrows, show, follow, settle }
}

/** `id` is the slide's anchor, `title` its announced name. */
export type Slide = { id: string; title: string; content: ReactNode }

type LinkProps = {
  slides: Slide[]
  current: number
  /** The pair of arrows that is kept once scripts run. */
  arrows: number | undefined
  onShow: (event: MouseEvent<HTMLAnchorElement>) => void
}

/** One bar per slide. Until scripts run, CSS marks the slide named by the URL. */
function Bars({ slides, current, onShow }: LinkProps) {
  return (
    <ul className="carousel-bars">
      {slides.map(({ id, title }, i) => (
        <li key={id}>
          <a href={`#${id}`} aria-current={i === current ? 'true' : undefined} onClick={onShow}>
            <span className="sr-only">{`Slide ${i + 1}: ${title}`}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/**
 * Previous and next, wrapping around. Without scripts each slide has a pair, and CSS shows the
 * current one.
 */
function Arrows({ slides, current, arrows, onShow }: LinkProps) {
  const places = arrows === undefined ? slides.map((_, i) => i) : [current]
  const count = slides.length
  return places.map((at) => (
    // the pair shown before scripts run stays the same element afterwards, so it keeps the focus
    <div key={arrows ?? at} className="carousel-arrows" data-at={at + 1}>
      <a
        href={`#${slides[(at + count - 1) % count]?.id}`}
        aria-label="Previous slide"
        onClick={onShow}
      >
        <Icon of="left" />
      </a>
      <span aria-hidden="true">{`${at + 1} / ${count}`}</span>
      <a href={`#${slides[(at + 1) % count]?.id}`} aria-label="Next slide" onClick={onShow}>
        <Icon of="right" />
      </a>
    </div>
  ))
}

type CarouselProps = {
  label: string
  slides: Slide[]
  /** Decoration behind all slides. It stays in place while they move. */
  children?: ReactNode
}

/**
 * Slides side by side. They move only on user action: arrows, bars, keys or a swipe, and plain
 * anchors without scripts.
 */
export function Carousel({ label, slides, children }: CarouselProps) {
  const { track, current, arrows, show, follow, settle } = useSlides(slides.map(({ id }) => id))
  const live = arrows !== undefined
  const links = { slides, current, arrows, onShow: show }
  return (
    <section
      className="carousel"
      aria-roledescription="carousel"
      aria-label={label}
      data-live={live || undefined}
    >
      {children}
      <div
        ref={track}
        className="carousel-track"
        onScroll={follow}
        onScrollEnd={settle}
        onPointerDown={settle}
      >
        {slides.map(({ id, title, content }, i) => (
          // biome-ignore lint/a11y/useSemanticElements: a slide has this role; a fieldset is for forms
          <div
            key={id}
            id={id}
            role="group"
            aria-roledescription="slide"
            aria-label={`${i + 1} of ${slides.length}: ${title}`}
            className="carousel-slide"
            inert={live && i !== current}
          >
            {content}
          </div>
        ))}
      </div>
      <div className="carousel-controls">
        <Bars {...links} />
        <Arrows {...links} />
        <p role="status" className="sr-only">
          {live && `Slide ${current + 1} of ${slides.length}: ${slides[current]?.title}`}
        </p>
      </div>
    </section>
  )
}
