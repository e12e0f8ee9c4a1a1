import { useEffect, useSyncExternalStore } from 'react'

const never = () => () => {}

/** Once per page, around everything: repeats the clicks that the boot script remembered, once every screen can answer them. */
export function useEarlyClicks(): void {
  // true only after all screens know what the browser alone knows, such as who is logged in
  const isHydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  useEffect(() => {
    if (!isHydrated) return
    document.documentElement.dataset.hydrated = ''
    for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-early]')) {
      delete button.dataset.early
      button.ariaBusy = null
      button.click()
    }
  }, [isHydrated])
}
