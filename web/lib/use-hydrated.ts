import { useSyncExternalStore } from 'react'

const neverChanges = () => () => {}

/** False in what the server renders and while the browser repeats it, then true: what only a browser knows comes after. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
