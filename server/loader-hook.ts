/**
 * Node reads the package.json of every module it loads. drizzle-orm has hundreds of modules and a package.json of 180 kB,
 * which costs half a second and 150 MB at each start. This hook tells Node that drizzle-orm's own imports are modules.
 */
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    const parent = context.parentURL
    if (!specifier.startsWith('.') || !specifier.endsWith('.js')) return next(specifier, context)
    if (!parent?.includes('/node_modules/drizzle-orm/')) return next(specifier, context)
    return { url: new URL(specifier, parent).href, format: 'module', shortCircuit: true }
  },
})
