import { type Location, useLocation, useNavigation } from 'react-router'

/**
 * The location to which this page is navigating, or else its own: a change builds on the previous
 * one even before that is rendered.
 */
export function useNewestLocation(): Location {
  const here = useLocation()
  const { location: next } = useNavigation()
  return next?.pathname === here.pathname ? next : here
}
