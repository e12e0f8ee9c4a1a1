/** Stands for the shop's own origin, so that server and browser find the same. */
const origin = 'http://shop.invalid'
const longest = 2_000

/**
 * The redirect check: where a login may lead back to.
 * @returns the path as the browser will read it, or null: `//evil` and `/\evil` lead to another site
 */
export function localPath(path: unknown): string | null {
  if (typeof path !== 'string' || !path.startsWith('/') || path.length > longest) return null
  if (!URL.canParse(path, origin)) return null
  const url = new URL(path, origin)
  const read = url.pathname + url.search + url.hash
  return url.origin === origin && !/^\/[/\\]/.test(read) ? read : null
}
