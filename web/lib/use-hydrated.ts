import { useSyncExternalStore } from 'react'

const neverChanges = () => () => {}

/**
 * False on the server and during hydration, then true: content that only the browser knows is
 * rendered afterwards.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
