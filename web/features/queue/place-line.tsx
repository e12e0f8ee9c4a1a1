import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ordinal, units } from './place-text.ts'
import { lengthQuery, placesQuery } from './queries.ts'

type Props = {
  partId: string
  isUser: boolean
  show: (label: string, line: ReactNode) => ReactNode
}

/**
 * What the browser knows of the queue: the user's place or offer, or the place that they would get. A file of its own, so that
 * only a page with a sold-out part loads it.
 */
export default function PlaceLine({ partId, isUser, show }: Props) {
  const { data: waiting } = useQuery(lengthQuery(partId))
  const { data: places } = useQuery({ ...placesQuery, enabled: isUser })
  const place = places?.find((each) => each.partId === partId)
  if (place?.isOffered)
    return show('Book it now', `Set aside for you: ${units(place.offerQuantity)}.`)
  if (place) {
    const line = `You are ${ordinal(place.position)}. We mail you when it is your turn.`
    return show('See my place', line)
  }
  const isKnown = waiting !== undefined && (!isUser || places !== undefined)
  return show('Tell me when it is back', isKnown && `You would be ${ordinal(waiting + 1)}.`)
}
