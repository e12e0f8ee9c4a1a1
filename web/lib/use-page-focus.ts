import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Focuses the page's heading, without scrolling. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}

/**
 * After a page change the heading gets the focus, so that keyboard and screen reader start there.
 */
export function usePageFocus(): void {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    if (document.activeElement instanceof HTMLInputElement) return
    focusHeading()
  }, [pathname])
}
