import type { Page } from '@playwright/test'
import { messages } from '#contracts/messages.ts'
import { fullOnly } from '#tests/support/length.ts'
import { register } from '#tests/support/people.ts'
import { stockPart } from '#tests/support/stock.ts'
import {
  arrive,
  busyTest,
  enterAs,
  expect,
  freshEmail,
  ownerTest,
  customerTest as test,
} from './fixtures.ts'

const review = (page: Page) => page.getByLabel('Review', { exact: true })
const send = (page: Page) => page.getByRole('button', { name: 'Add review' })
const stars = (page: Page, count: number) =>
  page.getByRole('radio', { name: count === 1 ? '1 star' : `${count} stars` })

/** The public reviews with this text. */
async function written(page: Page, text: string): Promise<{ name: string; ratings: number }[]> {
  const all: { review: string; name: string; ratings: number }[] = await (
    await page.request.get('/api/review')
  ).json()
  return all.filter((one) => one.review === text)
}

test.describe('Add a review', () => {
  test.beforeEach(async ({ page, customer }) => {
    await page.goto('/dashboard/addReview')
    await expect(page.getByLabel('Email')).toHaveValue(customer.email)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue(customer.name)
  })

  test('by keyboard alone: arrows choose the stars, thanks come, the form is empty, the review is public', async ({
    page,
    customer,
  }) => {
    const text = `Well packed, ${customer.email}`
    await page.getByLabel('Email').focus()
    await page.keyboard.press('Tab')
    await expect(stars(page, 1)).toBeFocused()
    await page.keyboard.press('Space')
    for (let star = 1; star < 4; star += 1) await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('group', { name: 'Rating' }).getByText('4 of 5')).toBeVisible()
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByText(messages.reviewThanks)).toBeVisible()
    await expect(review(page)).toHaveValue('')
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'See the reviews' })).toHaveAttribute(
      'href',
      '/#reviews',
    )
    expect(await written(page, text)).toMatchObject([{ name: customer.name, ratings: 4 }])
  })

  fullOnly(test)(
    'by mouse: stars light up under the pointer, a click keeps them, a double click sends once',
    async ({ page, customer }) => {
      const lit = () =>
        page.evaluate(
          () =>
            [...document.querySelectorAll('.star svg')].filter(
              (star) => getComputedStyle(star).fill !== 'rgba(0, 0, 0, 0)',
            ).length,
        )
      const label = (star: number) => page.locator('.star').nth(star - 1)
      await label(3).hover()
      await expect.poll(lit).toBe(3)
      await page.mouse.move(0, 0)
      await expect.poll(lit).toBe(0)
      await label(2).click()
      await label(5).hover()
      await expect.poll(lit).toBe(5)
      await page.mouse.move(0, 0)
      await expect.poll(lit).toBe(2)
      await expect(stars(page, 2)).toBeChecked()

      // a double click makes one review
      const text = `Twice, ${customer.email}`
      await review(page).fill(text)
      await send(page).dblclick()
      await expect(page.getByText(messages.reviewThanks)).toBeVisible()
      await expect(review(page)).toHaveValue('')
      expect(await written(page, text)).toHaveLength(1)
    },
  )

  fullOnly(test)(
    'asks for stars and words, counts near the end, says when it is too long, and keeps what is typed',
    async ({ page }) => {
      await send(page).click()
      await expect(page.getByText(messages.ratingOutOfRange)).toBeVisible()
      await expect(page.getByText(messages.reviewRequired)).toBeVisible()
      await expect(stars(page, 1)).toBeFocused()
      await review(page).fill('x'.repeat(1700))
      await expect(page.getByText(/characters? left/)).toBeHidden()
      await review(page).fill('x'.repeat(1999))
      await expect(page.getByText('1 character left')).toBeVisible()
      await review(page).fill('x'.repeat(2003))
      await expect(page.getByText('3 too many')).toBeVisible()
      await send(page).click()
      await expect(page.getByText(messages.reviewTooLong)).toBeVisible()
      await stars(page, 3).press('Space')
      await review(page).fill('Not sent yet')
      await page.reload()
      await expect(review(page)).toHaveValue('Not sent yet')
      await expect(stars(page, 3)).toBeChecked()
    },
  )
})

busyTest(
  'who reviewed a part is asked to change that; its bars have the shop’s colours, its facts begin at one height',
  async ({ page, pool, buyer, sell }) => {
    const part = await stockPart(pool, { onHand: 3, name: `Rated ${crypto.randomUUID()}` })
    await pool.query(
      `update parts set kind = 'graphics card', specs = (
       select specs from parts where name = 'Cinder RX 7800 XT' limit 1) where _id = $1`,
      [part._id],
    )
    await sell(part)
    await enterAs(page, buyer)
    await page.goto(`/part/${part._id}`)
    const link = page.getByRole('region', { name: 'Reviews by buyers' }).getByRole('link')
    await expect(link).toHaveText('Bought it here? Write a review')
    const words = { partId: part._id, review: 'It rates itself.', ratings: 4 }
    expect((await buyer.call('POST', '/api/review', words)).status).toBe(200)
    await expect(async () => {
      await page.reload()
      await expect(link.last()).toHaveText('You’ve reviewed this. Edit your review', {
        timeout: 2000,
      })
      await expect(page.getByText('It rates itself.')).toBeVisible({ timeout: 500 })
    }).toPass()
    const bar = page.locator('#reviews progress').first()
    await expect(bar).toHaveCSS('appearance', 'none')
    const tops = await page
      .locator('#specification h3')
      .evaluateAll((all) => all.map((heading) => heading.getBoundingClientRect()))
    const first = tops.filter(({ left }, i) => tops.findIndex((top) => top.left === left) === i)
    expect(first.length).toBe(2)
    expect(first[0]?.top).toBe(first[1]?.top)
  },
)

test('a second one on the same day is refused with a message, and nothing typed is lost; the first can be edited and removed', async ({
  page,
}) => {
  await page.goto('/dashboard/addReview')
  await stars(page, 3).press('Space')
  await review(page).fill('The first of the day')
  await send(page).click()
  const own = page.getByRole('region', { name: 'Your reviews' })
  await expect(own.getByText('The first of the day')).toBeVisible()
  await stars(page, 1).press('Space')
  await review(page).fill('One more')
  await send(page).click()
  await expect(page.getByText(messages.reviewOncePerDay)).toBeVisible()
  await expect(review(page)).toHaveValue('One more')

  await own.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit your review' })
  await expect(dialog.getByLabel('3 stars')).toBeChecked()
  await dialog.getByLabel('Review', { exact: true }).fill('Better than I thought')
  await dialog.getByLabel('5 stars').press('Space')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(own.getByText('Better than I thought')).toBeVisible()
  expect(await written(page, 'Better than I thought')).toMatchObject([{ ratings: 5 }])

  await own.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(own.getByText('You have no reviews left.')).toBeVisible()
  await expect(own.getByRole('heading')).toBeFocused()
  expect(await written(page, 'Better than I thought')).toEqual([])
})

fullOnly(busyTest)(
  'an address that is not verified gets the mail again, and keeps the words',
  async ({ page }) => {
    await arrive(page, 'Grace Hopper', freshEmail(), { verified: false })
    await page.goto('/dashboard/addReview')
    await stars(page, 5).press('Space')
    await review(page).fill('From a stranger')
    await send(page).click()
    await expect(page.getByText(messages.reviewNeedsVerification)).toBeVisible()
    await page.getByRole('button', { name: 'Send a new link' }).click()
    await expect(page.getByText(messages.verificationSent)).toBeVisible()
    await expect(review(page)).toHaveValue('From a stranger')
  },
)

ownerTest(
  'an owner finds a review and hides it with a reason, which its author reads',
  async ({ page, shop, owner: _ }) => {
    const author = await register(shop.origin, 'Rita Rude')
    await author.call('POST', '/api/review', { review: 'A shop of fools.', ratings: 1 })
    await page.goto('/dashboard/addProduct')
    await page.getByRole('link', { name: 'Manage all reviews' }).click()
    await page.getByRole('searchbox').fill('fools')
    await page.getByLabel('Stars', { exact: true }).selectOption('1')
    const row = page.getByRole('row').filter({ hasText: author.email })
    await row.getByRole('button', { name: 'Hide' }).click()
    const dialog = page.getByRole('dialog', { name: 'Hide this review?' })
    await dialog.getByLabel('Reason').fill('An insult.')
    await dialog.getByRole('button', { name: 'Hide' }).click()
    await expect(row.getByText('hidden', { exact: true })).toBeVisible()
    expect(await written(page, 'A shop of fools.')).toEqual([])
    const { body } = await author.call('GET', '/api/me/reviews')
    expect(body).toMatchObject([{ hiddenReason: 'An insult.' }])
    await row.getByRole('button', { name: 'Show' }).click()
    const back = page.getByRole('dialog', { name: 'Show this review?' })
    await back.getByLabel('Reason').fill('Harmless after all.')
    await back.getByRole('button', { name: 'Show' }).click()
    await expect(row.getByText('hidden', { exact: true })).toHaveCount(0)
    expect(await written(page, 'A shop of fools.')).toHaveLength(1)
    await row.getByRole('link', { name: 'Audit log' }).click()
    await expect(page.getByRole('cell', { name: 'review shown' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Rita Rude' }).first()).toBeVisible()
  },
)
