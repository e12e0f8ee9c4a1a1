/** Providers that need an account or a public server, and their substitutes in these tests. */
import { testedByWireFormat } from '#tests/support/servers/real-server.ts'

testedByWireFormat(
  'Stripe',
  'the official SDK speaks to sandbox/stripe, which is held to the types that Stripe publishes',
)
testedByWireFormat('imgbb', 'the adapter uploads to tests/support/imgbb-server.ts')
testedByWireFormat(
  'Firebase itself',
  'the browser and the server speak to its official emulator, and the key set is tests/support/firebase-server.ts',
)
testedByWireFormat('Google', 'the adapter speaks OpenID Connect to the provider of sandbox/google')
testedByWireFormat('Mail', 'the adapter speaks SMTP to the package smtp-server')
