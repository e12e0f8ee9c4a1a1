import pg from '/tmp/wt/lists/node_modules/pg/esm/index.mjs'
import { startEmbedded } from '#server/database/embedded.ts'
import { connect } from '#server/database/client.ts'
import { listAllOrders } from '#server/features/orders/owned-store.ts'
import { listUsers } from '#server/features/users/store.ts'
import { listOwnedParts } from '#server/features/parts/owned-store.ts'
import { OrderFilter, PartFilter, UserList, orderSorts, partSorts, userSorts } from '#contracts/lists.ts'
const d = await startEmbedded({ dataDir: '/tmp/lists-data', log: () => {}, owner: 'x' })
try {
const db = connect(d.url, console.error)
const { rows: [o] } = await db.$client.query('select _id, transaction_id, email from orders where status=$1 offset 5000 limit 1', ['shipped'])
const { rows: [v] } = await db.$client.query('select version()')
console.log(v)
const qs = [undefined, 'keystone', 'keystone keyboard', 'example.com', 'zzqy nothing', 'zq', 'q', '7', '@', 'ada', 'ada.lovelace.5000', o._id, o._id.slice(0,8), o._id.slice(10,14), o.transaction_id, 'pi_00', 'fan 9999', '100%', 'hopper 99', '_', 'keystone fan grace 77','lovelace hopper']
const slow: any[] = []
async function run(name: string, f: () => Promise<unknown[]>) {
  const ts: number[] = []
  let n = 0
  for (let i = 0; i < 4; i++) { const t = performance.now(); n = (await f()).length; ts.push(performance.now() - t) }
  ts.shift()
  slow.push([Math.max(...ts), name, n])
}
for (const q of qs) for (const sort of orderSorts) for (const status of [undefined, 'unpaid', 'pending', 'refunded'] as const)
  await run(`orders ${JSON.stringify({ q, sort, status })}`, () => listAllOrders(db, { ...OrderFilter.parse({ q, sort, status }), limit: 51, after: undefined }))
for (const q of [undefined, 'ada', 'zq', 'zzzq']) for (const sort of orderSorts) for (const [from,to] of [['2026-01-01','2026-01-02'],['2024-01-01','2030-01-01'],['2030-01-01',undefined]])
  await run(`orders ${JSON.stringify({ q, sort, from,to })}`, () => listAllOrders(db, { ...OrderFilter.parse({ q, sort, from,to }), limit: 51, after: undefined }))
for (const q of ['keystone','zq',undefined, 'ada.lovelace', 'zzqx','admin', o.email, 'a','ad', '@', '99999']) for (const role of [undefined,'admin','customer'] as const) for (const sort of userSorts) 
  await run(`users ${JSON.stringify({ q, sort, role })}`, () => listUsers(db, { ...UserList.parse({ q, sort, role }), limit: 51, after: undefined }))
for (const q of ['keystone','zq',undefined, 'fan 9999']) for (const state of [undefined,'low','sold-out','deleted', 'on-sale'] as const) for (const sort of partSorts) 
  await run(`parts ${JSON.stringify({ q, sort, state })}`, () => listOwnedParts(db, { ...PartFilter.parse({ q, sort, state }), limit: 51, after: undefined }))
slow.sort((a, b) => b[0] - a[0])
for (const s of slow.slice(0, 40)) console.log(s[0].toFixed(1), s[1], s[2])
console.log('median', slow[slow.length >> 1][0], slow.length)
await db.$client.end()
} finally { await d.stop() }
