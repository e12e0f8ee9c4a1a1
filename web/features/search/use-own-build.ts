import { basketIn, basketText } from '#contracts/basket.ts'
import { useBasket } from '#web/lib/basket.ts'
import { useHydrated } from '#web/lib/use-hydrated.ts'

/**
 * Whether the build of a list's address is the visitor's own, and not that of a link: a machine, a
 * search, a part. Without scripts it is, because only the address knows it.
 */
export function useOwnBuild(params: URLSearchParams): boolean {
  const isHydrated = useHydrated()
  const own = basketText(useBasket())
  return !isHydrated || own === basketText(basketIn(params.get('fits') ?? ''))
}
