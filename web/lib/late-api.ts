import { withTimeout } from './load-script.ts'

/**
 * The client of the shop's calls, for pages that come with their data: `const { api } = await loadApi()`. The module, not
 * `api` itself, which a promise would take for another promise.
 */
export const loadApi = withTimeout(() => import('./api.ts'))
