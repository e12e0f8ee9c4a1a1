import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const project = (name: string, include: string[]) => ({
  extends: true as const,
  test: { name, include },
})

/** The names of the tests without a browser for `npm run test:full -- NAME`, and their files. */
const places: Record<string, string[]> = {
  shop: [
    '{contracts,server,sandbox,web}/**/*.test.{ts,tsx}',
    'tests/{architecture,gate,settings}.test.ts',
  ],
  security: ['tests/security/**/*.test.ts'],
  faults: ['tests/faults/**/*.test.ts'],
}
const placesOf = (name: string): string[] => places[name] ?? []

/**
 * Faults first: they wait for processes that start and stop, which costs no time while the stories
 * keep both cores busy, and would leave them idle at the end.
 */
class FaultsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFault = ({ moduleId }: TestSpecification) => moduleId.includes('/tests/faults/')
    const sorted = await super.sort(files)
    return [...sorted.filter(isFault), ...sorted.filter((file) => !isFault(file))]
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: 'tests/support/global-setup.ts',
    setupFiles: 'tests/support/quick-passwords.ts',
    // the tests start whole shops, on machines with other load
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // no test depends on speed: what does not happen within a minute never happens
    expect: { poll: { timeout: 60_000 } },
    // one more than the gate's two processors, because workers wait for other processes a quarter
    // of their time
    maxWorkers: 3,
    // loading the server takes longer than most test files, so each worker loads it only once
    isolate: false,
    sequence: { sequencer: FaultsFirst },
    projects: [
      // a single project, so that a worker loads the server only once
      project(
        'gate',
        (process.env.TEST_NAMES?.split(' ') ?? Object.keys(places)).flatMap(placesOf),
      ),
      // only for npm run test:providers
      project('providers', ['tests/providers/**/*.test.ts']),
      // only for npm run test:scale
      project('scale', ['tests/scale/**/*.test.ts']),
    ],
  },
})
