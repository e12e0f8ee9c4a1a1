import type { Page } from '@playwright/test'
import { messages } from '#contracts/messages.ts'
import { startShop } from '#tests/support/shop-process.ts'
import { endSessionElsewhere, test } from './customer-test.ts'
import { arrive, expect, logIn } from './shop-test.ts'

const review = (page: Page) => page.getByLabel('Review', { exact: true })
const send = (page: Page) => page.getByRole('button', { name: 'Add review' })
const stars = (page: Page, count: number) =>
  page.getByRole('radio', { name: count === 1 ? '1 star' : `${count} stars` })

/** The reviews that everybody reads and that have this text. */
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

  test('asks for stars and for words', async ({ page }) => {
    await send(page).click()
    await expect(page.getByText(messages.ratingOutOfRange)).toBeVisible()
    await expect(page.getByText(messages.reviewRequired)).toBeVisible()
    await expect(stars(page, 1)).toBeFocused()
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

  test('by mouse: stars light up under the pointer, a click keeps them', async ({ page }) => {
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
  })

  test('a double click is one review', async ({ page, customer }) => {
    const text = `Twice, ${customer.email}`
    await stars(page, 5).press('Space')
    await review(page).fill(text)
    await send(page).dblclick()
    await expect(page.getByText(messages.reviewThanks)).toBeVisible()
    await expect(review(page)).toHaveValue('')
    expect(await written(page, text)).toHaveLength(1)
  })

  test('counts near the end, and says when it is too long', async ({ page }) => {
    await review(page).fill('x'.repeat(1700))
    await expect(page.getByText(/characters? left/)).toBeHidden()
    await review(page).fill('x'.repeat(1999))
    await expect(page.getByText('1 character left')).toBeVisible()
    await review(page).fill('x'.repeat(2003))
    await expect(page.getByText('3 too many')).toBeVisible()
    await send(page).click()
    await expect(page.getByText(messages.reviewTooLong)).toBeVisible()
  })

  test('after a login in between, words and stars are still there', async ({ page, customer }) => {
    const text = `Later, ${customer.email}`
    await stars(page, 3).press('Space')
    await review(page).fill(text)
    await endSessionElsewhere(page)
    await send(page).click()
    await expect(page).toHaveURL(/\/login$/)
    await logIn(page, customer.email)
    await expect(page).toHaveURL(/\/dashboard\/addReview$/)
    await expect(review(page)).toHaveValue(text)
    await expect(stars(page, 3)).toBeChecked()
    await send(page).click()
    await expect(page.getByText(messages.reviewThanks)).toBeVisible()
    await page.reload()
    await expect(review(page)).toHaveValue('')
  })
})

test('the sixth within an hour is refused in words, and nothing typed is lost', async ({
  browser,
}) => {
  const strict = await startShop({ RATE_LIMIT: 'on' })
  try {
    const page = await browser.newPage({ baseURL: strict.origin })
    await arrive(page)
    await page.goto('/dashboard/addReview')
    for (let written = 0; written < 5; written += 1) {
      await stars(page, 3).press('Space')
      await review(page).fill(`Number ${written}`)
      await send(page).click()
      await expect(review(page)).toHaveValue('')
    }
    await stars(page, 3).press('Space')
    await review(page).fill('One more')
    await send(page).click()
    await expect(
      page.getByText('You can write 5 reviews in an hour. Try again later.'),
    ).toBeVisible()
    await expect(review(page)).toHaveValue('One more')
    await page.close()
  } finally {
    await strict.remove()
  }
})
