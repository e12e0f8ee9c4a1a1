/** Accounts that Firebase keeps. The other stories of it run against its emulator (tests/providers). */
import { expect, logIn, test } from './fixtures.ts'

test('an account with a second factor at Firebase reads why it cannot log in', async ({
  page,
  openShop,
}) => {
  const host = '127.0.0.1:9099'
  const shop = await openShop({
    FIREBASE_PROJECT_ID: 'demo-shop',
    FIREBASE_API_KEY: 'any',
    FIREBASE_AUTH_EMULATOR_HOST: host,
  })
  // what Firebase answers after the right password of such an account
  await page.route(`http://${host}/**/accounts:signInWithPassword**`, (route) =>
    route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      json: {
        localId: 'ada',
        mfaPendingCredential: 'pending',
        mfaInfo: [{ mfaEnrollmentId: 'phone', phoneInfo: '+1******0100' }],
      },
    }),
  )
  await page.goto(`${shop.origin}/login`)
  await logIn(page, 'ada@example.com')
  await expect(
    page.getByText('This account needs a second factor, but this shop can’t ask for one.'),
  ).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
})
