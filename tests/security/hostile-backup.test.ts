/** A forged backup: its file list must stay within the backup and the shop's own files. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Manifest,
  readManifest,
  verifyFiles,
  writeManifest,
} from '#server/commands/backup/manifest.ts'
import { restore } from '#server/commands/backup/restore.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ferrite-hostile-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const facts = (path: string): Omit<Manifest, 'product' | 'format'> => ({
  version: '0.1.0',
  madeAt: '2026-01-31T00:00:00.000Z',
  migration: 0,
  secretCheck: '0'.repeat(64),
  tables: [],
  sequences: [],
  files: [{ path, bytes: 4, sha256: digest('evil') }],
})

test.each([
  '../evil',
  'images/../../evil',
  'images/..',
  'images/../secrets/app-secret',
  '/etc/cron.d/evil',
  'images//etc/passwd',
  'images\\..\\..\\evil',
  'images/.htaccess',
  'images/evil.html',
  'images/evil\u0000.webp',
  'images/evil.webp\n',
  'secrets/evil',
  'secrets/app-secret/..',
  'postgresql/postgresql.conf',
  'database/../../evil.jsonl.gz',
  'database/public.users.sql',
  'unfinished-restore',
])('a file called %j is none of a backup', async (path) => {
  await writeManifest(folder, facts(path))
  const dataDir = join(folder, 'data')
  await expect(readManifest(folder)).rejects.toThrow('manifest.json is not one of ours')
  await expect(restore({ DATA_DIR: dataDir } as never, folder)).rejects.toThrow(
    'nothing was changed',
  )
  expect((await readdir(folder)).toSorted()).toEqual(['manifest.json', 'manifest.json.sha256'])
})

test.each(['null', '[]', '1', '"x"', '{}', '{"format":1,"__proto__":{"files":[]}}', '{'])(
  'a list that says %s is none',
  async (text) => {
    await writeFile(join(folder, 'manifest.json'), text)
    await writeFile(join(folder, 'manifest.json.sha256'), `${digest(text)}  manifest.json\n`)
    await expect(readManifest(folder)).rejects.toThrow('nothing was changed')
  },
)

test('a link in it is not followed, to a file or to an endless device', async () => {
  await mkdir(join(folder, 'secrets'))
  await writeFile(join(folder, 'elsewhere'), 'evil')
  for (const target of [join(folder, 'elsewhere'), '/dev/zero']) {
    const { files, ...rest } = facts('secrets/app-secret')
    await symlink(target, join(folder, 'secrets/app-secret'))
    const all = { product: 'ferrite', format: 1, files, ...rest } as const
    await expect(verifyFiles(folder, all)).rejects.toThrow('secrets/app-secret is no file')
    await rm(join(folder, 'secrets/app-secret'))
  }
})
