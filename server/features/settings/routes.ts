import { Hono } from 'hono'
import { Modified, modified } from '#contracts/api.ts'
import { Settings, SettingsEdit } from '#contracts/settings.ts'
import type { Database } from '#server/database/client.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { saveSettings } from './save-settings.ts'
import { readSettings } from './store.ts'

/** What the owner says of the shop. */
export function settingsRoutes({ db }: { db: Database }) {
  return new Hono<Env>()
    .get(
      '/settings',
      requireAdmin({
        summary: 'Reads what the shop says of itself: its name, owner, address and contact.',
        answer: Settings,
      }),
      async (c) => c.json((await readSettings(db)) satisfies Settings),
    )
    .put(
      '/settings',
      requireAdmin({
        summary: 'Saves what the shop says of itself.',
        maxBody: { bytes: 256 * 1024 },
        answer: Modified,
        errors: ['OUTDATED'],
        description:
          '`version` is that of the settings as they were read. All pages and mails have the new words within a second or two, in every process.',
      }),
      valid('json', SettingsEdit),
      async (c) => c.json(modified(await saveSettings(db, c.var.caller, c.req.valid('json')))),
    )
}
