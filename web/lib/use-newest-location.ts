import { type Location, useLocation, useNavigation } from 'react-router'

/** The location that this page is navigating to, else its own: a change builds on the one before, even before that is drawn. */
export function useNewestLocation(): Location {
  const here = useLocation()
  const { location: next } = useNavigation()
  return next?.pathname === here.pathname ? next : here
}
