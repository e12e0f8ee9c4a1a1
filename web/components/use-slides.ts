import { type MouseEvent, useEffect, useRef, useState } from 'react'

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/**
 * Which of the slides in a sideways track is seen. It follows swipes, the address and the links given to `show`, which
 * move the track alone, so the page does not jump, and rewrite the address, so Back leaves the page.
 * @param ids the slides' anchors, in order
 * @returns `live` once scripts run; before, the links are plain anchors
 */
export function useSlides(ids: string[]) {
  const track = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const [live, setLive] = useState(false)
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

  useEffect(() => {
    const named = ids.indexOf(location.hash.slice(1))
    if (named > 0) moveTo(named, 'instant')
    else follow()
    setLive(true)
  }, [])

  return { track, current, live, show, follow, settle }
}
