/** The disk fills up: reads work and writes are refused, until there is space again. */
import { spawnSync } from 'node:child_process'
import { appendFile, chmod, mkdtemp, rm, rmdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readyDataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import {
  bookingOf,
  call,
  createUsers,
  login,
  type Person,
  register,
} from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'
import { brokenInvariants, stockOf, stockPart } from '#tests/support/stock.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })
const MB = 1024 * 1024

const mount = (...words: string[]) => spawnSync('mount', words).status === 0
const unmount = (folder: string) => spawnSync('umount', [folder])

/** A separate disk, if this user may create one: mostly root. */
async function smallDisk(): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'ferrite-disk-'))
  if (process.getuid?.() === 0 && mount('-t', 'tmpfs', '-o', 'size=700m', 'tmpfs', folder)) {
    await chmod(folder, 0o755)
    return folder
  }
  await rmdir(folder)
  return null
}

const disk = await smallDisk()

describe.runIf(disk)('the disk of a shop with its own database', () => {
  // the body of a skipped describe still runs
  const folder = disk ?? ''
  const filler = join(folder, 'foreign-file')
  let shop: ShopProcess
  let ada: Person
  beforeAll(async () => {
    const ready = await readyDataFolder()
    spawnSync('cp', ['-a', ready, join(folder, 'data')])
    await removeDataFolder(ready)
    shop = await startShop({ DEMO: 'off' }, join(folder, 'data'))
    ada = await register(shop.origin, 'Ada Full')
  })
  afterAll(async () => {
    await rm(filler, { force: true })
    await shop?.remove()
    unmount(folder)
    await rm(folder, { recursive: true, force: true })
  })

  const leave = async (bytes: number) => {
    const { bavail, bsize } = await statfs(folder)
    const filled = appendFile(filler, Buffer.alloc(Math.max(bavail * bsize - bytes, 0)))
    // the database writes too: the disk may be full a moment earlier
    await filled.catch((error) => {
      if (bytes > 0 || error.code !== 'ENOSPC') throw error
    })
  }
  const health = async () => (await call(shop.origin, 'GET', '/healthz')).body.status

  test('nearly full, then full to the last byte: refused in words, read as before, and all is well with room again', async () => {
    const pool = await shopDatabase(shop)
    const part = await stockPart(pool, { onHand: 5 })
    const first = await bookingOf(ada, part)
    const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
    for (const left of [200 * MB, 0]) {
      await leave(left)
      await expect.poll(health).toBe('degraded')
      const input = { partId: part._id, quantity: 1, phone: '+1 555 0100' }
      const refused = await ada.call('POST', '/api/order', input)
      expect([refused.status, refused.body.error.code]).toEqual([503, 'STORAGE_LOW'])
      expect((await upload(shop, owner, await photo())).status).toBe(503)
      const signUp = { name: 'Eve Late', email: 'eve.late@example.com', password: 'correct horse' }
      const noAccount = await call(shop.origin, 'POST', '/identity/sign-up/email', { body: signUp })
      expect([noAccount.status, noAccount.body.code]).toEqual([503, 'STORAGE_LOW'])
      expect((await ada.call('GET', `/api/order/${first}`)).status).toBe(200)
      expect((await call(shop.origin, 'GET', '/api/part')).status).toBe(200)
    }
    await rm(filler)
    await expect.poll(health).toBe('ok')
    await bookingOf(ada, part)
    expect(await stockOf(pool, part._id)).toEqual({ onHand: 5, reserved: 2 })
    expect(await brokenInvariants(pool)).toEqual([])
    await pool.end()
    expect(await shop.end('SIGTERM')).toBe(0)
  })
})

describe('the disk of a database elsewhere, which the shop cannot see', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await openTestShop({ DEMO: 'off' })
  })
  afterAll(() => shop.close())

  test.each(['orders', 'stock_movements', 'mail_queue'])(
    'full when %s is written: refused in words, and nothing of the booking is left',
    async (table) => {
      const [ada] = (await createUsers(shop, 1)) as [Person]
      const part = await stockPart(shop.pool, { onHand: 5 })
      await shop.pool.query(`
        create or replace function full_disk() returns trigger language plpgsql as $$
          begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
        create trigger a_full_disk before insert on ${table} execute function full_disk()`)
      const input = { partId: part._id, quantity: 1, phone: '+1 555 0100' }
      const { status, body } = await ada.call('POST', '/api/order', input)
      expect([status, body.error.code]).toEqual([503, 'STORAGE_LOW'])
      await shop.pool.query(`drop trigger a_full_disk on ${table}`)
      expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 5, reserved: 0 })
      expect((await ada.call('POST', '/api/order', input)).status).toBe(200)
      expect(await brokenInvariants(shop.pool)).toEqual([])
    },
  )
})
