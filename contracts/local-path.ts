/** A placeholder for the shop's origin, so that server and browser get the same result. */
const origin = 'http://shop.invalid'
const longest = 2_000

/**
 * Checks the path to which a login redirects back.
 * @returns the path as the browser will read it, or null for an address of another site, such as
 *   `//evil` or `/\evil`
 */
export function localPath(path: unknown): string | null {
  if (typeof path !== 'string' || !path.startsWith('/') || path.length > longest) return null
  if (!URL.canParse(path, origin)) return null
  const url = new URL(path, origin)
  const read = url.pathname + url.search + url.hash
  return url.origin === origin && !/^\/[/\\]/.test(read) ? read : null
}
