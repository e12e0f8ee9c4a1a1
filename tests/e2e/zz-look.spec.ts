import { expect } from './shop-test.ts'
import { test } from './owner-test.ts'
import { register, bookingOf } from '#tests/support/people.ts'
import { stockPart } from '#tests/support/stock.ts'

test('look', async ({ page, shop, pool, sell, owner }) => {
  test.setTimeout(300_000)
  const a = await register(shop.origin, 'Ada Customer')
  const b = await register(shop.origin, 'Wolfeschlegelsteinhausenbergerdorff the Extraordinarily Long Named Customer')
  const parts = [
    await stockPart(pool, { onHand: 900, price: 40, name: 'Marrow 650 test' }),
    await stockPart(pool, { onHand: 900, price: 1999, name: 'Extraordinarily verbose mechanical keyboard with a name that just does not want to end, edition 2026, black' }),
  ]
  for (let i = 0; i < 57; i++) await bookingOf(i % 5 === 3 ? b : a, parts[i % 3 === 1 ? 1 : 0]!, { quantity: 1 + (i % 4) })
  for (let i = 0; i < 12; i++) { const id = await sell(parts[i % 2]!, 1 + i % 3); if (i % 3 === 1) await owner.call('PUT', `/api/order/${id}/shipped`, { carrier: 'DHL', trackingNumber: 'JD01' + i }) }
  await pool.query(`insert into users (issuer, subject, email, name, email_verified) select 'x', 'u'||n, 'user.number.'||n||'@example.com', 'User '||n, n%3>0 from generate_series(1,80) n`)
  const only = process.env.LOOK?.split(',')
  for (const [path, name] of [['/dashboard/manageOrders','orders'],['/dashboard/users','users'],['/dashboard/record','record'],['/dashboard/manageOrders?q=zzz','nothing'],['order','order']] as const) {
    if (only && !only.includes(name)) continue
    for (const [w, scheme] of [[360,'dark'],[768,'light'],[1440,'light'],[1440,'dark'],[1024,'light']] as const) {
      await page.setViewportSize({ width: w, height: 900 })
      await page.emulateMedia({ colorScheme: scheme })
      if (path === 'order') { await page.goto('/dashboard/manageOrders'); await page.locator('.row-link').first().click(); await expect(page.getByRole('heading', { name: 'History' })).toBeVisible() }
      else await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForTimeout(600)
      if (name === 'orders' && w === 1440) {
        await page.getByRole('checkbox').nth(2).check(); await page.mouse.wheel(0, 500); await page.waitForTimeout(300)
      }
      console.log(name, w, await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
      await page.screenshot({ path: `/tmp/orders-look/${name}-${w}-${scheme}.png` })
    }
  }
  if (!only || only.includes('dialogs')) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/dashboard/manageOrders')
    await page.getByRole('button', { name: /^make shipped/ }).first().click()
    await page.screenshot({ path: '/tmp/orders-look/ship.png' })
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: /^Refund/ }).first().click()
    await page.waitForTimeout(300)
    await page.screenshot({ path: '/tmp/orders-look/refund.png' })
  }
})
