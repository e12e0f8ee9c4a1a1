/** @typedef {{ version: string, license?: string, dev?: boolean, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Locked */

/** The packages of package-lock.json that these are and need, at their places in node_modules. */
export function lockedFor(
  /** @type {string[]} */ names,
  /** @type {Record<string, Locked>} */ packages,
) {
  /** @type {Record<string, Locked>} */
  const needed = {}
  const add = (/** @type {string} */ name, from = '') => {
    // as Node looks: in the folder of who needs it, then in those above
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
