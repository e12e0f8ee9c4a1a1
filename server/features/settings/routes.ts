import { Hono } from 'hono'
import { Modified, modified } from '#contracts/api.ts'
import { LogoUploaded, Settings, SettingsEdit } from '#contracts/settings.ts'
import { pictureBody, readUpload } from '#server/features/pictures/pictures.ts'
import { type Env, perMinute, requireAdmin, valid } from '#server/http/guards.ts'
import { type LogoDeps, uploadLogo } from './logo.ts'
import { saveSettings } from './save-settings.ts'
import { readSettings } from './store.ts'

/** What the owner says of the shop. */
export function settingsRoutes(deps: LogoDeps) {
  const { db } = deps
  return new Hono<Env>()
    .get(
      '/settings',
      requireAdmin({
        summary: 'Reads what the shop says of itself: its name, owner, address and contact.',
        answer: Settings,
      }),
      async (c) => c.json((await readSettings(db)) satisfies Settings),
    )
    .post(
      '/logo',
      requireAdmin({
        summary: 'Uploads a logo of the shop.',
        limit: perMinute(24),
        ...pictureBody,
        answer: LogoUploaded,
        errors: ['UNSUPPORTED'],
        description:
          'The body is the file. The shop reads JPEG, PNG and WebP, and makes square PNGs for pages, tabs and devices. It shows the logo that the settings name; others are forgotten after a day.',
      }),
      async (c) => {
        const logo = await uploadLogo(deps, await readUpload(c.req.raw))
        return c.json({ acknowledged: true, logo } satisfies LogoUploaded)
      },
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
