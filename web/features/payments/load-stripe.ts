import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { queryOptions } from '@tanstack/react-query'
import type { Shop } from '#contracts/shop.ts'

/** Adds a sandbox's script to the page, unless its global is there already. */
function injectScript(src: string): Promise<void> {
  if ('Stripe' in window && window.Stripe) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error('The card form could not be loaded. Check your connection and retry.'))
    }
    document.head.append(script)
  })
}

/** The card provider's browser library, loaded once; a sandbox's script when the shop names one. */
export const stripeQuery = ({ publishableKey, scriptUrl }: Shop['payments']) =>
  queryOptions({
    queryKey: ['stripe', publishableKey],
    queryFn: async (): Promise<Stripe> => {
      if (scriptUrl) await injectScript(scriptUrl)
      const stripe = await loadStripe(publishableKey)
      if (!stripe) throw new Error('The card form can only be loaded in a browser')
      return stripe
    },
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
