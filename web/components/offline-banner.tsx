import { useSyncExternalStore } from 'react'

function onChange(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Says that the connection is gone, over the foot of the window; what is on the screen stays. */
export function OfflineBanner() {
  const online = useSyncExternalStore(
    onChange,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status">
      {!online && (
        <p data-covers-bottom="" className="notice z-60 max-w-176 px-5 py-3">
          You are offline. What you see stays; it is brought up to date when you are connected
          again.
        </p>
      )}
    </div>
  )
}
