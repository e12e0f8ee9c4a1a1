import { expect, ownerTest } from '#tests/e2e/fixtures.ts'

ownerTest(
  'an owner makes a key, has it shown once, and revokes it',
  async ({ page, shop, owner }) => {
    await page.goto('/dashboard/integrations')
    await page.getByRole('button', { name: 'Create an API key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create an API key' })
    const name = `Warehouse ${crypto.randomUUID().slice(0, 8)}`
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await expect(dialog.getByText('Choose what the key may do')).toBeVisible()
    await dialog.getByLabel('Read orders').check()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const keyRegion = page.getByRole('region', { name: `Key for ${name}` })
    await expect(keyRegion.getByRole('heading')).toBeFocused()
    const key = await keyRegion.getByText(/^ferrite_/).textContent()
    const ask = () =>
      fetch(`${shop.origin}/api/allOrders?limit=1`, { headers: { authorization: `Bearer ${key}` } })
    expect((await ask()).status).toBe(200)
    await keyRegion.getByRole('button', { name: 'I’ve saved it' }).click()
    await expect(page.getByText(String(key))).toHaveCount(0)
    const row = page.getByRole('listitem').filter({ hasText: name })
    await expect(row.getByText(`${String(key).slice(0, 14)}… for ${owner.email}`)).toBeVisible()
    await page.getByRole('button', { name: `Revoke ${name}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await expect(page.getByText('Key revoked.')).toBeVisible()
    await expect(page.getByRole('heading', { name })).toHaveCount(0)
    expect((await ask()).status).toBe(401)
  },
)

ownerTest(
  'an owner adds a webhook, tries it, looks at its messages and deletes it',
  async ({ page, owner, shop }) => {
    const { body } = await owner.call('GET', '/api/webhooks')
    for (const { _id } of body) await owner.call('DELETE', `/api/webhook/${_id}`)
    await page.goto('/dashboard/integrations')
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a webhook' })
    const url = `${shop.origin}/no/hooks`
    await dialog.getByLabel('URL').fill(url)
    await dialog.getByLabel('An order was paid').check()
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    const secret = page.getByRole('region', { name: `Secret for ${url}` })
    await expect(secret.getByText(/^whsec_/)).toBeVisible()
    await secret.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await expect(page.getByText(/^The message did not arrive\. It answers 4/)).toBeVisible()
    await page.getByRole('button', { name: 'Messages' }).click()
    const messages = page.getByRole('list', { name: 'Messages' })
    await expect(messages.getByText(/given up after 1 try/)).toBeVisible()
    await expect(messages.getByRole('button', { name: 'Send again: test' })).toBeVisible()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await expect(page.getByText(/^Off since/)).toBeVisible()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('No webhooks yet.')).toBeVisible()
  },
)
