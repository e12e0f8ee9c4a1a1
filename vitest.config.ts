import { defineConfig } from 'vitest/config'

const project = (name: string, include: string[]) => ({
  extends: true as const,
  test: { name, include },
})

/** What `npm run test:full -- NAME` calls the tests without a browser, and where they are. */
const places: Record<string, string[]> = {
  shop: [
    '{contracts,server,sandbox,web}/**/*.test.{ts,tsx}',
    'tests/{architecture,gate,settings}.test.ts',
  ],
  security: ['tests/security/**/*.test.ts'],
  faults: ['tests/faults/**/*.test.ts'],
}
const placesOf = (name: string): string[] => places[name] ?? []

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: 'tests/support/global-setup.ts',
    setupFiles: 'tests/support/quick-passwords.ts',
    // whole shops are started, on machines that do other things too
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // no test depends on speed: what does not come within a minute never comes
    expect: { poll: { timeout: 60_000 } },
    // one more than the gate's two processors: they wait for databases and other processes for a quarter of their time
    maxWorkers: 3,
    // loading the server takes longer than most files: a worker loads it once for all its files
    isolate: false,
    projects: [
      // one for all, so that a worker loads the server once
      project(
        'gate',
        (process.env.TEST_NAMES?.split(' ') ?? Object.keys(places)).flatMap(placesOf),
      ),
      // npm run test:providers alone
      project('providers', ['tests/providers/**/*.test.ts']),
      // npm run test:scale alone
      project('scale', ['tests/scale/**/*.test.ts']),
    ],
  },
})
