import { sql } from 'drizzle-orm'
import { arrivalDay, type DispatchRules, dispatchDay } from '#contracts/dispatch.ts'
import { clockTime } from '#contracts/shop-days.ts'
import type { Queryable } from '#server/database/client.ts'
import { readSettings } from '#server/features/settings/store.ts'

/** The date and the time of day in the shop: { day: '2026-11-27', time: '15:00' }. */
type Clock = { day: string; time: string }

async function readClock(db: Queryable): Promise<Clock> {
  const { rows } = await db.execute<Clock>(sql`
    select to_char(local, 'YYYY-MM-DD') as day, to_char(local, 'HH24:MI') as time
    from (select now() at time zone shop_zone() as local) clock`)
  return rows[0] ?? { day: '', time: '' }
}

/**
 * The day on which a parcel arrives at the latest: `days` working days after its dispatch. It
 * leaves after `paidAt`; unless it is paid, as if it were paid now.
 */
export type Arrivals = (days: number, paidAt?: Date | null) => string

/** The day on which a parcel leaves at the latest that was paid then; null: that is paid now. */
type Departures = (paidAt: Date | null) => string

/** Reads when parcels leave, and the shop's today. */
export async function readDepartures(
  db: Queryable,
): Promise<{ leavesBy: Departures; today: string; rules: DispatchRules }> {
  const [{ settings }, now] = await Promise.all([readSettings(db), readClock(db)])
  const rules = settings.shop
  const leavesBy: Departures = (paidAt) => {
    const [day = '', time = ''] = paidAt
      ? clockTime(rules.timeZone, paidAt.toISOString()).split(' ')
      : [now.day, now.time]
    return dispatchDay({ day, time: time.slice(0, 5) }, rules)
  }
  return { leavesBy, today: now.day, rules }
}

/** Reads the owner's working days, and what time it is in the shop. */
export async function readArrivals(db: Queryable): Promise<Arrivals> {
  const { leavesBy, rules } = await readDepartures(db)
  return (days, paidAt = null) => arrivalDay(leavesBy(paidAt), days, rules)
}
