import { type MouseEvent, useLayoutEffect, useRef, useState } from 'react'

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/**
 * Which of the slides in a sideways track is seen. It follows swipes, the address and the links given to `show`, which
 * move the track alone, so the page does not jump, and rewrite the address, so Back leaves the page.
 * @param ids the slides' anchors, in order
 * @returns `arrows`, once scripts run, is the slide whose pair of arrows was shown until then; before, it is undefined and
 * the links are plain anchors
 */
export function useSlides(ids: string[]) {
  const track = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const [arrows, setArrows] = useState<number>()
  // where a link is leading to: the slides passed on the way do not count
  const goal = useRef<number | null>(null)

  const follow = () => {
    const { scrollLeft = 0, clientWidth = 1 } = track.current ?? {}
    const seen = Math.round(scrollLeft / clientWidth)
    if (goal.current !== null && goal.current !== seen) return
    goal.current = null
    setCurrent(seen)
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

  // a layout effect draws its result before the next key: an effect would let Tab go on to a slide that turns inert
  useLayoutEffect(() => {
    // a visitor may have swiped or tabbed to another slide before the script came: that one stays
    const anchored = ids.indexOf(location.hash.slice(1))
    const focused = ids.findIndex((id) =>
      document.getElementById(id)?.contains(document.activeElement),
    )
    if (focused >= 0) moveTo(focused, 'instant')
    else if (anchored > 0 && !track.current?.scrollLeft) moveTo(anchored, 'instant')
    else follow()
    setArrows(Math.max(anchored, 0))
  }, [])

  return { track, current, arrows, show, follow, settle }
}
