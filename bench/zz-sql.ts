import { readFileSync } from 'node:fs'
import pg from 'pg'
import { startEmbedded } from '#server/database/embedded.ts'
const d = await startEmbedded({ dataDir: '/tmp/lists-data', log: () => {}, owner: 'x' })
const c = new pg.Client({ connectionString: d.url }); await c.connect()
for (const q of readFileSync(0, 'utf8').split(';').map((s) => s.trim()).filter(Boolean)) {
  try {
  await c.query(q)
  const r = await c.query(q)
  console.log('###', q); for (const row of r.rows ?? []) console.log(Object.values(row).join(' | '))
  } catch (e) { console.log('!!!', q, String(e)) }
}
await c.end(); await d.stop()
