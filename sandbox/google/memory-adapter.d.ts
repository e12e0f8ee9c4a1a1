/** The library's own store in memory, which its types leave out. Its default is the same with a warning on the console. */
declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  import type { AdapterFactory } from 'oidc-provider'
  export function createMemoryAdapter(): AdapterFactory
}
