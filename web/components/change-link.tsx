import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { useFocusFallback } from '#web/lib/focus-fallback.ts'

/**
 * A link to this list with something changed in it, which may remove the link: the focus then stays
 * in its row.
 */
export function ChangeLink(props: ComponentProps<typeof Link>) {
  const ref = useFocusFallback<HTMLAnchorElement>()
  const look = 'link inline-flex min-h-11 items-center'
  return <Link ref={ref} replace preventScrollReset rel="nofollow" className={look} {...props} />
}
