import type { FirebaseFacts } from '#contracts/shop.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { embedded } from './embedded.ts'
import { type Identity, IdentityError } from './port.ts'
import { firebaseMeta } from './sign-out.ts'

let loading: Promise<Identity> | undefined

// excluded from the server's bundle, which renders the pages
const load = import.meta.env.SSR ? null : withTimeout(() => import('./firebase.ts'))

async function loadFirebase(facts: FirebaseFacts): Promise<Identity> {
  const script = await load?.().catch(() => undefined)
  if (script) return script.firebaseIdentity(facts)
  // the next click retries
  loading = undefined
  throw new IdentityError('auth/network-request-failed')
}

/**
 * The identity provider of this shop; the first call loads its script.
 * @throws IdentityError, as a rejection, if it cannot be loaded
 */
export function provider(): Promise<Identity> {
  loading ??= start()
  return loading
}

function start(): Promise<Identity> {
  const meta = firebaseMeta()
  return meta ? loadFirebase(JSON.parse(meta.content)) : Promise.resolve(embedded)
}
