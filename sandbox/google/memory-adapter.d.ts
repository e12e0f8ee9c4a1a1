/**
 * The library's own in-memory store, which its types omit. The library's default is the same, but
 * prints a warning to the console.
 */
declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  import type { AdapterFactory } from 'oidc-provider'
  export function createMemoryAdapter(): AdapterFactory
}
