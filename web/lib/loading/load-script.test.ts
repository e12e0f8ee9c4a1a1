import { expect, test, vi } from 'vitest'
import { withTimeout } from './load-script.ts'

test('a script that comes is handed on; one that does not is an error after 120 s', async () => {
  vi.useFakeTimers()
  await expect(withTimeout(async () => 'module')()).resolves.toBe('module')
  expect(vi.getTimerCount()).toBe(0)
  const late = withTimeout(() => new Promise<never>(() => {}))()
  const outcome = expect(late).rejects.toThrow('did not load within 120 seconds')
  await vi.advanceTimersByTimeAsync(119_999)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  await outcome
  vi.useRealTimers()
})
