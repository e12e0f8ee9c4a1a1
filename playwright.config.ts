import { defineConfig } from '@playwright/test'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // a page of a story is not open long enough to be worth compiling twice: a tenth of its time
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
    // nobody waits for a fade, nor draws it; a story about movement asks for it
    contextOptions: { reducedMotion: 'reduce' },
    // a trace of every story costs a quarter of the time: FERRITE_TRACE=on when one is needed
    trace: process.env.FERRITE_TRACE ? 'retain-on-failure' : 'off',
    // no screenshot on failure: Playwright would take one at the end of every story, and a trace has more
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      args: flags,
    },
  },
})
