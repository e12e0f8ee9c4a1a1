/** The shop's test for its owner, with customers who book and pay over HTTP. */
import type { Page } from '@playwright/test'
import type { Pool } from 'pg'
import type { Part } from '#contracts/parts.ts'
import {
  bookingOf,
  confirmCard,
  intentFor,
  login,
  type Person,
  register,
} from '#tests/support/people.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { expect, test as shopTest } from './shop-test.ts'

type Fixtures = {
  /** Whoever uses the page: the owner, logged in. */
  owner: Person
}
type WorkerFixtures = {
  pool: Pool
  customer: Person
  /** A customer's paid order. @returns its id */
  sell: (part: Part, quantity?: number, card?: string) => Promise<string>
}

/** This page goes on as that person. */
export async function enterAs(page: Page, person: Person): Promise<void> {
  await page.goto('/blogs')
  await page.evaluate((token) => localStorage.setItem('accessToken', token), person.token)
}

export const test = shopTest.extend<Fixtures, WorkerFixtures>({
  pool: [
    async ({ shop }, use) => {
      const pool = await shopDatabase(shop)
      await use(pool)
      await pool.end()
    },
    { scope: 'worker' },
  ],
  customer: [({ shop }, use) => register(shop.origin).then(use), { scope: 'worker' }],
  sell: [
    async ({ shop, customer }, use) => {
      const home = await (await fetch(shop.origin)).text()
      const publishableKey = /pk_test_\w+/.exec(home)?.[0] ?? ''
      await use(async (part, quantity = 1, card = 'pm_card_visa') => {
        const id = await bookingOf(customer, part, { quantity })
        const payment = await intentFor(customer, id)
        await confirmCard({ origin: shop.origin, publishableKey }, payment, card)
        const claim = { transactionId: payment.intentId }
        const { status } = await customer.call('PATCH', `/api/order/${id}`, claim)
        expect(status).toBe(200)
        return id
      })
    },
    { scope: 'worker' },
  ],
  owner: async ({ shop, page }, use) => {
    const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
    await enterAs(page, owner)
    await use(owner)
  },
})
