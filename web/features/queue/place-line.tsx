import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { PartOnSale } from '#contracts/part-pages.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { inLine, units } from './place-text.ts'
import { lengthQuery, placesQuery, useJoinQueue } from './queries.ts'

type Props = {
  part: Pick<PartOnSale, '_id' | 'minimumOrderQuantity'>
  isUser: boolean
  /** The text of the button that joins the queue. */
  text: string
  show: (button: ReactNode, line: ReactNode, problem?: string) => ReactNode
}

type JoinProps = Omit<Props, 'isUser'> & { line: ReactNode; onJoined: () => void }

/**
 * Joins the queue at once, for the minimum order quantity. Shows an error with a link to the page
 * that has more options.
 */
function Join({ part, text, line, show, onJoined }: JoinProps) {
  const { _id: partId, minimumOrderQuantity } = part
  const join = useJoinQueue(onJoined)
  useSignedOutBy(join.error)
  const button = (
    <Button
      loading={join.isPending || join.isSuccess}
      onClick={() => join.mutate({ partId, quantity: minimumOrderQuantity })}
    >
      {text}
    </Button>
  )
  if (!join.error) return show(button, line)
  return show(
    <ButtonLink to={`/purchase/${partId}`}>Continue</ButtonLink>,
    null,
    join.error.message,
  )
}

/**
 * The queue as the browser sees it: the user's place or offer, or the place that they would get. In
 * a separate file, so that only pages with a sold-out part load it.
 */
export default function PlaceLine({ part, isUser, text, show }: Props) {
  const waiting = useQuery(lengthQuery(part._id)).data?.waiting
  const { data: places } = useQuery({ ...placesQuery, enabled: isUser })
  const link = useRef<HTMLAnchorElement>(null)
  const [hasJoined, setJoined] = useState(false)
  const linkTo = (text: string) => (
    <ButtonLink ref={link} to={`/purchase/${part._id}`}>
      {text}
    </ButtonLink>
  )
  const place = places?.find(({ partId }) => partId === part._id)
  const isWaiting = place !== undefined
  // the focused button has become a link
  useEffect(() => {
    if (hasJoined && isWaiting) link.current?.focus()
  }, [hasJoined, isWaiting])
  if (place?.isOffered)
    return show(linkTo('Book it now'), `Set aside for you: ${units(place.offerQuantity)}.`)
  if (place) {
    const line = `You’re ${inLine(place.position)}, for ${units(place.quantity)}. We’ll email you when it’s your turn.`
    return show(linkTo('See my place in line'), line)
  }
  const isKnown = waiting !== undefined && (!isUser || places !== undefined)
  const line = isKnown && `You’d be ${inLine(waiting + 1)}.`
  // must not change the quantity of a place that the user may already have
  if (!places) return show(linkTo(text), line)
  return <Join part={part} text={text} show={show} line={line} onJoined={() => setJoined(true)} />
}
