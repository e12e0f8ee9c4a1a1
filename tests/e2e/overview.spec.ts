import type { Page } from '@playwright/test'
import { messages } from '#contracts/messages.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { refusal } from './customer-test.ts'
import { bookPart, expect, logIn, payWith, signUp, test } from './shop-test.ts'

async function enterAsOwner(page: Page): Promise<void> {
  await page.goto('/login')
  await logIn(page, 'owner@ferrite.example', 'owner-password')
  await expect(page).toHaveURL((url) => url.pathname === '/')
}

test('an owner finds what was sold, what to ship and what is held, by keyboard too', async ({
  page,
  openShop,
}) => {
  test.slow()
  const { origin } = await openShop()
  const at = (path: string) => `${origin}${path}`
  await page.goto(at('/register'))
  await signUp(page)
  await page.goto(at('/'))
})
