import { titled } from '#web/lib/page-meta.ts'
import { KeysSection } from './keys-section.tsx'
import { WebhooksSection } from './webhooks-section.tsx'

export const meta = titled('Integrations')

/**
 * API keys, with which an owner's programs call the shop, and webhooks, which notify programs of
 * order events.
 */
export default function IntegrationsScreen() {
  return (
    <section aria-labelledby="integrations" className="@container min-h-svh">
      <h1 id="integrations" tabIndex={-1} className="text-4xl font-bold tracking-tight">
        Integrations
      </h1>
      <p className="mt-2 max-w-[68ch] text-pretty text-dim">
        Your own programs, such as a warehouse system, use an API key to access the shop, and
        webhooks tell them what happens to orders.{' '}
        <a href="/api/docs" className="link">
          See every API call and its scope
        </a>
      </p>
      <KeysSection />
      <WebhooksSection />
    </section>
  )
}
