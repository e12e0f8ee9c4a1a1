/** @typedef {{ version: string, license?: string, dev?: boolean, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Locked */

/**
 * These packages of package-lock.json and everything that they need, by their paths in
 * node_modules.
 */
export function lockedFor(
  /** @type {string[]} */ names,
  /** @type {Record<string, Locked>} */ packages,
) {
  /** @type {Record<string, Locked>} */
  const needed = {}
  const add = (/** @type {string} */ name, from = '') => {
    // like Node's lookup: first in the package's own folder, then in those above
    const place = `${from}node_modules/${name}`
    const found = packages[place]
    if (!found) {
      if (from) add(name, from.slice(0, from.lastIndexOf('node_modules/')))
      return
    }
    if (needed[place]) return
    needed[place] = found
    for (const next of Object.keys({ ...found.dependencies, ...found.optionalDependencies }))
      add(next, `${place}/`)
  }
  for (const name of names) add(name)
  return needed
}
