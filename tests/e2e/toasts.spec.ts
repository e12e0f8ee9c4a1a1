import type { Locator, Page } from '@playwright/test'
import { messages } from '#contracts/messages.ts'
import { atLength, fullOnly } from '#tests/support/length.ts'
import { expect, test } from './fixtures.ts'

/**
 * 'please give your email' closes itself, 'Provide a valid email' stays: Forgot password? can show
 * either.
 */
async function forgotPassword(page: Page, answer: string) {
  page.once('dialog', (dialog) => dialog.accept(answer))
  await page.getByRole('button', { name: 'Forgot password?' }).click()
}

const warning = (page: Page) =>
  page.getByRole('alert').filter({ hasText: messages.resetNeedsEmail })
const error = (page: Page) => page.getByRole('alert').filter({ hasText: messages.emailInvalid })

/** Whether the 5000 ms of a toast are running: they are an animation. */
const clockOf = (toast: Locator) =>
  toast.evaluate((element) => {
    const animations = element.getAnimations({ subtree: true })
    return animations.find(({ effect }) => effect?.getTiming().duration === 5000)?.playState
  })
/** Finishes the toast's remaining time at once. */
const letTimePass = (toast: Locator) =>
  toast.evaluate((element) => {
    for (const animation of element.getAnimations({ subtree: true })) animation.finish()
  })

test.use({ contextOptions: { reducedMotion: 'no-preference' } })
test.beforeEach(({ page }) => page.goto('/login'))

const motions = ['no-preference', 'reduce'] as const
for (const reducedMotion of atLength ? motions : motions.slice(0, 1)) {
  test.describe(`motion: ${reducedMotion}`, () => {
    test.use({ contextOptions: { reducedMotion } })

    test('a message closes by itself after 5000 ms, not under the pointer', async ({ page }) => {
      await forgotPassword(page, '')
      const toast = warning(page)
      await expect.poll(() => clockOf(toast)).toBe('running')
      await toast.hover()
      await expect.poll(() => clockOf(toast)).toBe('paused')
      await page.mouse.move(5, 500)
      await expect.poll(() => clockOf(toast)).toBe('running')
      await letTimePass(toast)
      await expect(toast).toHaveCount(0)
    })
  })
}

fullOnly(test)(
  'a message can be dragged away: 80 percent of its width, not less',
  async ({ page }) => {
    await forgotPassword(page, 'no address')
    await expect(error(page)).not.toHaveClass(/toast-enter/)
    const box = await error(page).boundingBox()
    if (!box) throw new Error('the message is nowhere')
    const drag = async (share: number) => {
      await page.mouse.move(box.x + 40, box.y + box.height / 2)
      await page.mouse.down()
      await page.mouse.move(box.x + 40 + box.width * share, box.y + box.height / 2, { steps: 8 })
      await page.mouse.up()
    }
    // outward, to the right edge: pointer events continue outside the window
    await drag(0.6)
    await expect
      .poll(async () => (await error(page).boundingBox())?.x, 'the message is back in its place')
      .toBe(box.x)
    await drag(0.9)
    await expect(error(page)).toHaveCount(0)
  },
)

test('three messages at most wait over the header, the newest is seen at once; errors stay until they are closed', async ({
  page,
}) => {
  for (let i = 0; i < 5; i += 1) await forgotPassword(page, 'no address')
  await expect(error(page)).toHaveCount(1)
  const header = await page.getByRole('banner').boundingBox()
  const box = await error(page).boundingBox()
  const logo = await page.getByRole('banner').getByRole('link').first().boundingBox()
  const signUp = await page.getByRole('banner').getByRole('link', { name: 'Sign Up' }).boundingBox()
  if (!header || !box || !logo || !signUp) throw new Error('nothing to measure')
  // no line of the page is under it, nor what leads away from it
  expect(box.y + box.height).toBeLessThanOrEqual(header.y + header.height)
  expect(box.x).toBeGreaterThan(logo.x + logo.width)
  expect(box.x + box.width).toBeLessThan(signUp.x)
  await forgotPassword(page, '')
  await expect(warning(page)).toBeVisible()
  await expect(error(page)).toHaveCount(0)
  await expect.poll(() => clockOf(warning(page))).toBe('running')
  await letTimePass(warning(page))
  await expect(warning(page)).toHaveCount(0)
  expect(await clockOf(error(page))).toBeUndefined()
  // the two newest errors are left: one comes when the other is closed
  for (const left of [1, 0]) {
    await error(page).getByRole('button', { name: 'close' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.locator('.Toastify__toast')).toHaveCount(left)
  }
  await expect(error(page)).toHaveCount(0)
})

test('a message that a newer one covers waits until it is seen again', async ({ page }) => {
  await forgotPassword(page, '')
  await expect.poll(() => clockOf(warning(page))).toBe('running')
  await forgotPassword(page, 'nobody@example.com')
  const newer = page.getByRole('status').filter({ hasText: messages.resetSent })
  await expect(newer).toBeVisible()
  await expect(warning(page)).toBeHidden()
  const hidden = page.getByRole('alert', { includeHidden: true })
  expect(await clockOf(hidden.filter({ hasText: messages.resetNeedsEmail }))).toBe('paused')
  await expect.poll(() => clockOf(newer)).toBe('running')
  await letTimePass(newer)
  await expect(warning(page)).toBeVisible()
  await expect.poll(() => clockOf(warning(page))).toBe('running')
})

test('a message is shown without a network, too, and the page stays', async ({ page, context }) => {
  await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled()
  await context.setOffline(true)
  const alertText = new Promise<string>((resolve) => {
    page.on('dialog', async (dialog) => {
      if (dialog.type() === 'alert') resolve(dialog.message())
      await dialog.accept(dialog.type() === 'prompt' ? 'no address' : undefined)
    })
  })
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  expect(await alertText).toBe(messages.emailInvalid)
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('messages come over the header, off every form, the newest first and one at a time; their × is beside the words', async ({
    page,
  }) => {
    await forgotPassword(page, 'no address')
    await forgotPassword(page, '')
    await expect(warning(page)).toBeVisible()
    await expect(error(page)).toBeHidden()
    await page.evaluate(() => scrollTo(0, 200))
    const header = await page.getByRole('banner').boundingBox()
    const box = await warning(page).boundingBox()
    if (!header || !box) throw new Error('nothing to measure')
    expect(box.y + box.height).toBeLessThanOrEqual(header.y + header.height + 16)
    const gap = await warning(page).evaluate((toast) => {
      const words = document.createRange()
      words.selectNodeContents(toast)
      words.setEndBefore(toast.querySelector('.Toastify__close-button') as Element)
      const close = toast.querySelector('.Toastify__close-button')?.getBoundingClientRect()
      const right = Math.max(...[...words.getClientRects()].map((rect) => rect.right))
      return (close?.left ?? 0) - right
    })
    expect(gap).toBeGreaterThanOrEqual(0)
    await letTimePass(warning(page))
    await expect(error(page)).toBeVisible()
  })
})
