import { useLayoutEffect } from 'react'
import { useShopName } from './use-shop.ts'

const errorWord = 'Error: '
/** The number of forms on this page that show an error. */
let errors = 0

const bare = (title: string) =>
  title.startsWith(errorWord) ? title.slice(errorWord.length) : title

function show(title: string): void {
  const fullTitle = errors > 0 ? errorWord + bare(title) : bare(title)
  if (document.title !== fullTitle) document.title = fullTitle
}

/**
 * Prefixes the title with 'Error: ' while the page shows an error, so that screen readers and the
 * tab announce it.
 */
export function useErrorInTitle(isError: boolean): void {
  useLayoutEffect(() => {
    if (!isError) return
    errors += 1
    show(document.title)
    return () => {
      errors -= 1
      show(document.title)
    }
  }, [isError])
}

/**
 * Titles the page by its content, such as a part, once that is known; until then it has the route's
 * title.
 * @param title without the shop's name
 */
export function usePageTitle(title: string | undefined): void {
  const name = useShopName()
  useLayoutEffect(() => {
    if (!title) return
    const before = bare(document.title)
    const mine = `${title} · ${name}`
    show(mine)
    // after navigation the next page may have set its own title already
    return () => {
      if (bare(document.title) === mine) show(before)
    }
  }, [title, name])
}
