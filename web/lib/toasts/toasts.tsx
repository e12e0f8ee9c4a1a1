import { lazy, Suspense, useSyncExternalStore } from 'react'
import { loadToastLibrary, onFirstToast, toastsWanted } from './toast.ts'

const Container = lazy(async () => {
  const { cssTransition, toast, ToastContainer } = await loadToastLibrary()
  const transition = cssTransition({ enter: 'toast-enter', exit: 'toast-leave' })
  return {
    default: () => (
      // biome-ignore lint/a11y/noStaticElementInteractions: listens to the focus of the buttons inside
      <div onFocus={() => toast.pause()} onBlur={() => toast.play()}>
        <ToastContainer
          autoClose={5000}
          transition={transition}
          draggable
          draggablePercent={80}
          closeOnClick={false}
          pauseOnHover
          newestOnTop
          position="top-center"
          aria-label="Notifications"
        />
      </div>
    ),
  }
})

/**
 * The toast container, once per page: toasts close after 5000 ms, can be dragged away at 80
 * percent, and pause under pointer or focus.
 */
export function Toasts() {
  const isWanted = useSyncExternalStore(onFirstToast, toastsWanted, () => false)
  return isWanted ? (
    <Suspense>
      <Container />
    </Suspense>
  ) : null
}
