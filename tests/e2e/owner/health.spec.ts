/**
 * The owner's page 'Is my shop well?': the overview reports that a check fails, and the page which
 * and why.
 */
import { HealthReport } from '#contracts/health.ts'
import { expect, ownerTest as test } from '#tests/e2e/fixtures.ts'

test('a failed backup is shown on the overview and on its page until one succeeds', async ({
  page,
  pool,
  owner,
}) => {
  const backupEvent = async () => {
    const { checks } = HealthReport.parse((await owner.call('GET', '/api/health')).body)
    return checks.find(({ name }) => name === 'backup')?.event
  }
  await pool.query(
    `insert into last_runs (job, detail) values ('backup_failure', '{"reason": "No space left on device"}')`,
  )
  await expect.poll(backupEvent, { timeout: 60_000 }).toBe('backup_failed')

  await page.goto('/dashboard/overview')
  const attention = page.getByRole('list', { name: 'Needs attention' })
  await attention.getByRole('link', { name: /^\d+ warnings?$/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Is my shop well?' })).toBeFocused()
  const first = page.getByRole('list', { name: 'Checks' }).getByRole('listitem').first()
  await expect(first).toContainText('Backups')
  await expect(first).toContainText('failing')
  await expect(first).toContainText('failed: No space left on device.')
  await expect(first).toContainText('then make a backup')

  await pool.query(`delete from last_runs where job = 'backup_failure'`)
  await expect.poll(backupEvent, { timeout: 60_000 }).toBeNull()
  await page.goto('/dashboard/overview')
  await page.getByText('Days start at midnight').getByRole('link').click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Backups' })).toContainText(
    'not set up',
  )
  await expect(page.getByRole('listitem').filter({ hasText: 'Disk space' })).toContainText('well')
  await expect(page.getByText('Your shop is well, but not everything is set up')).toBeVisible()
})
