import { expect, test } from 'vitest'
import { openTestShop } from '#tests/support/shop.ts'
import { startJobs } from './jobs.ts'

test('the disk is looked at often, however seldom the jobs of a shop run: it fills in less than a minute', async () => {
  const shop = await openTestShop({ DEMO: 'off', JOB_SECONDS: '3600' })
  let looks = 0
  const disk = {
    ...shop.deps.disk,
    async look() {
      looks += 1
    },
  }
  const jobs = startJobs({ ...shop.deps, disk }, 3600, 0.1)
  try {
    // once at the start, and three more times
    await expect.poll(() => looks).toBeGreaterThan(3)
  } finally {
    await jobs.stop()
    await shop.close()
  }
})
