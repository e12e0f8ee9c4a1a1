import { buying } from './buying.tsx'
import { company } from './company.tsx'
import { legal } from './legal.tsx'
import { sitePages } from './site-pages.ts'
import type { TextPage } from './text-page.ts'

const texts: TextPage[] = [...buying, ...company, ...legal]

/** The text page at a path, with its group of pages. */
export function textPageAt(path: string) {
  const pagePath = path.replace(/\/+$/, '')
  const text = texts.find((page) => page.path === pagePath)
  const group = sitePages.find(({ pages }) => pages.some(({ to }) => to === pagePath))
  if (!text || !group) throw new Error(`there is no text for ${path}`)
  return { ...text, ...group }
}

/** The title of a page for links. */
export function titleOf(path: string): string {
  return texts.find((page) => page.path === path)?.title ?? path
}
