import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callLog } from './log.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('of refused calls ten of a status are logged in ten seconds, and then their number by route', () => {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line))
  const log = pino({ base: null, timestamp: false }, { write })
  const logCall = callLog(log)
  const order = { method: 'POST', route: '/api/order' }
  const say = (times: number, status: number, call = order) => {
    for (let i = 0; i < times; i += 1) logCall({ ...call, status }, log)
  }
  say(500, 400)
  say(20, 429)
  say(30, 400, { method: 'GET', route: '/api/parts' })
  say(15, 200)
  say(15, 500)
  const statuses = () => Object.groupBy(lines, ({ msg, status }) => `${msg} ${status}`)
  const counts = () =>
    Object.fromEntries(Object.entries(statuses()).map(([of, all]) => [of, all?.length]))
  const one = { 'request 200': 15, 'request 400': 10, 'request 429': 10, 'request 500': 15 }
  expect(counts()).toEqual(one)
  vi.advanceTimersByTime(10_000)
  expect(lines.filter(({ msg }) => msg === 'requests_refused')).toEqual([
    { level: 30, ...order, status: 400, count: 490, seconds: 10, msg: 'requests_refused' },
    { level: 30, ...order, status: 429, count: 10, seconds: 10, msg: 'requests_refused' },
    {
      level: 30,
      method: 'GET',
      route: '/api/parts',
      status: 400,
      count: 30,
      seconds: 10,
      msg: 'requests_refused',
    },
  ])
  say(1, 400)
  expect(lines.at(-1)).toMatchObject({ msg: 'request', status: 400 })
})
