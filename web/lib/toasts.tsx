import { lazy, Suspense, useSyncExternalStore } from 'react'
import { onFirstToast, toastsWanted } from './toast.ts'

const Container = lazy(async () => {
  const { ToastContainer } = await import('react-toastify/unstyled')
  return { default: ToastContainer }
})

/** The place for toasts, once per page: 5000 ms, dragged away at 80 percent, waiting under pointer or focus. */
export function Toasts() {
  const isWanted = useSyncExternalStore(onFirstToast, toastsWanted, () => false)
  if (!isWanted) return null
  return (
    <Suspense>
      <Container
        autoClose={5000}
        draggable
        draggablePercent={80}
        closeOnClick={false}
        pauseOnHover
        pauseOnFocusLoss
        newestOnTop
        limit={3}
        position="top-right"
        aria-label="Notifications"
      />
    </Suspense>
  )
}
