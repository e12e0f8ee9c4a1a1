import { useLayoutEffect } from 'react'

const errorWord = 'Error: '
/** Forms of this page that show an error. */
let errors = 0

const bare = (title: string) =>
  title.startsWith(errorWord) ? title.slice(errorWord.length) : title

function show(title: string): void {
  const fullTitle = errors > 0 ? errorWord + bare(title) : bare(title)
  if (document.title !== fullTitle) document.title = fullTitle
}

/**
 * Begins the title with 'Error: ' while the page shows an error: screen readers and the tab say so.
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
 * Names the page by what it shows, such as a part, as soon as that is known; until then it has its route's title.
 * @param title without the shop's name
 */
export function usePageTitle(title: string | undefined): void {
  useLayoutEffect(() => {
    if (!title) return
    const before = bare(document.title)
    const mine = `${title} · Ferrite`
    show(mine)
    // gone to another page, whose own title may be there already
    return () => {
      if (bare(document.title) === mine) show(before)
    }
  }, [title])
}
