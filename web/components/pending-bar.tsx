import { useNavigation } from 'react-router'

/** A thin bar under the header while the next page is on its way; CSS lets quick ones pass unseen. */
export function PendingBar() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return <div className="pending-bar" role="progressbar" aria-label="Loading the page" />
}
