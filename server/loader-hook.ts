/**
 * Node looks up the package.json around every module it loads. drizzle-orm's has 180 kB and its modules are hundreds, which
 * cost half a second and 150 MB at each start. What it imports from itself is known to be a module without looking.
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
