import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

function onChange(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** The clicked link of this site, unless its page was shown before. */
function newPageOf({ target }: Event, shown: Set<string>): HTMLAnchorElement | null {
  const link = (target as Element).closest<HTMLAnchorElement>('a[href^="/"]')
  return link && !shown.has(link.pathname) ? link : null
}

/**
 * Offline, a link to a page that this tab has not shown is ignored: its script would be missing,
 * and the browser's own error page would replace the list. The browser may be wrong about being
 * offline, as on a machine without a network that runs the shop itself, so the shop is contacted
 * first.
 * @returns whether the last link was ignored
 */
function useKeptLinks(online: boolean): boolean {
  const { pathname } = useLocation()
  const shown = useRef(new Set<string>())
  const [hasKept, setKept] = useState(false)
  useEffect(() => {
    shown.current.add(pathname)
  }, [pathname])
  useEffect(() => {
    if (online) return
    let isAnswered = false
    const keep = (event: Event) => {
      const link = newPageOf(event, shown.current)
      if (!link || isAnswered) return
      event.preventDefault()
      event.stopPropagation()
      fetch('/healthz', { cache: 'no-store' }).then(
        () => {
          isAnswered = true
          link.click()
        },
        () => setKept(true),
      )
    }
    document.addEventListener('click', keep, true)
    return () => {
      document.removeEventListener('click', keep, true)
      setKept(false)
    }
  }, [online])
  return hasKept
}

/** Reports the lost connection at the bottom of the window; the screen's content stays. */
export function OfflineBanner() {
  const online = useSyncExternalStore(
    onChange,
    () => navigator.onLine,
    () => true,
  )
  const hasKept = useKeptLinks(online)
  return (
    <div role="status">
      {!online && (
        <p data-covers-bottom="" className="notice z-60 max-w-176 px-5 py-3">
          You’re offline.{' '}
          {hasKept ? 'That page will open' : 'This page stays as it is, and updates'} once you’re
          back online.
        </p>
      )}
    </div>
  )
}
