/** The doctor as the owner calls it: beside a shop that runs, and for one that is stopped. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { dataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import {
  bookingOf,
  call,
  confirmCard,
  intentFor,
  login,
  orderOf,
  register,
} from '#tests/support/people.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'

const root = join(import.meta.dirname, '../..')
let shop: ShopProcess
afterEach(() => shop?.remove())

async function doctor(dataDir: string, ...words: string[]) {
  const child = spawn(process.execPath, ['server/doctor/main.ts', ...words], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'exit')
  return { code, said: (await said).join('') }
}

// two starts of a shop and three of the doctor
test('beside a running shop and after its stop: agrees, finds what nobody heard of, repairs it', {
  timeout: 120_000,
}, async () => {
  shop = await startShop({ SWEEP_SECONDS: '3600' })
  const well = await doctor(shop.dataDir)
  expect(well.said).toContain('Everything agrees.')
  expect(well.code).toBe(0)

  const parts: Part[] = (await call(shop.origin, 'GET', '/api/part')).body
  const part = parts.find((one) => one.availableQuantity > 2 && one.minimumOrderQuantity === 1)
  const ada = await register(shop.origin, 'Ada Unheard')
  const id = await bookingOf(ada, part as Part)
  const payment = await intentFor(ada, id)
  const html = await (await fetch(`${shop.origin}/`)).text()
  const publishableKey = /pk_test_\w+/.exec(html)?.[0] ?? ''
  await call(shop.origin, 'POST', '/sandbox/stripe/_sandbox/webhooks', { body: { mode: 'drop' } })
  expect((await confirmCard({ origin: shop.origin, publishableKey }, payment)).status).toBe(200)
  const beside = await doctor(shop.dataDir)
  expect(beside.said).toContain(`intent:${payment.intentId}`)
  expect(beside.said).toContain('repair: settle')
  expect(beside.code).toBe(1)
  // the shop kept its database
  expect((await orderOf(ada, id)).status).toBe('unpaid')
  expect(await shop.end('SIGTERM')).toBe(0)

  const stopped = await doctor(shop.dataDir, '--repair')
  expect(stopped.said).toContain('The order is paid now.')
  expect(stopped.said).toContain('Everything agrees.')
  expect(stopped.code).toBe(0)

  shop = await shop.restart()
  const again = await login(shop.origin, ada.email, 'correct horse')
  expect((await orderOf(again, id)).status).toBe('paid')
})

test('where there is no shop it says so and makes none', async () => {
  const folder = await dataFolder()
  const { code, said } = await doctor(folder)
  expect([code, said]).toEqual([1, `There is no shop in ${folder}: set DATA_DIR to its folder.\n`])
  await removeDataFolder(folder)
})
