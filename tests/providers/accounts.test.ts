/** Providers that want an account of yours: what stands in for them here. */
import { testedByWireFormat } from '#tests/support/real-server.ts'

testedByWireFormat('Stripe', 'the official SDK speaks to the sandbox of sandbox/stripe')
testedByWireFormat('Google', 'the adapter speaks OpenID Connect to the provider of sandbox/google')
