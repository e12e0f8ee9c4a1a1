import { withTimeout } from './load-script.ts'

/**
 * Loads the API client, for pages that arrive with their data: `const { api } = await loadApi()`.
 * Resolves to the module, not to `api` itself, which a promise would treat as a thenable.
 */
export const loadApi = withTimeout(() => import('#web/lib/api.ts'))
