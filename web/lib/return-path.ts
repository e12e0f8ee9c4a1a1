/** Stands for our own origin, so that server and browser find the same. */
const here = 'http://shop.invalid'

/**
 * Where to go back to after login, from navigation state.
 * @returns a path of this site, or null: state can be tampered with, and `//evil` or `/\evil` lead elsewhere
 */
export function returnPath(state: unknown): string | null {
  const from = (state as { from?: unknown } | null)?.from
  if (typeof from !== 'string' || !from.startsWith('/')) return null
  try {
    const url = new URL(from, here)
    const path = url.pathname + url.search + url.hash
    return url.origin === here && !/^\/[/\\]/.test(path) ? path : null
  } catch {
    return null
  }
}
