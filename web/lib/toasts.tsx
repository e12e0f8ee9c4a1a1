import { lazy, Suspense, useEffect, useState } from 'react'

const Container = lazy(async () => {
  const { ToastContainer } = await import('react-toastify/unstyled')
  return { default: ToastContainer }
})

/** The place for toasts, once per page: 5000 ms, dragged away at 80 percent, waiting under pointer or focus. */
export function Toasts() {
  const [ready, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  if (!ready) return null
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
