import { defineConfig } from '@playwright/test'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // the pages of a story close too soon for optimised code to pay off: this saves a tenth of the
  // time
  '--js-flags=--no-turbofan --no-maglev',
]

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/global-setup.ts',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  outputDir: 'test-results/playwright',
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  use: {
    viewport: { width: 1280, height: 800 },
    // no time is spent on animations; a story about motion enables them
    contextOptions: { reducedMotion: 'reduce' },
    // tracing every story would take a quarter longer: set FERRITE_TRACE=on when you need traces
    trace: process.env.FERRITE_TRACE ? 'retain-on-failure' : 'off',
    // no screenshots: Playwright would take one at the end of every story, and a trace contains
    // more
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      args: flags,
    },
  },
})
