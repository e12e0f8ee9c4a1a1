/** The health checks of the shop itself: its backups, disk, background jobs and held stock. */
import { sql } from 'drizzle-orm'
import type { Database } from '#server/database/client.ts'
import type { CheckResult } from '#server/database/health-checks.ts'
import { readRuns } from '#server/database/last-runs.ts'
import { orders } from '#server/database/schema/orders.ts'
import { parts } from '#server/database/schema/parts.ts'
import { queuePlaces } from '#server/database/schema/queue.ts'
import { users } from '#server/database/schema/users.ts'
import type { DiskGuard } from '#server/http/limits/disk-guard.ts'

const units: [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
]

/** Formats a time span in its largest unit: '3 days', '1 hour'; 'a moment' below a minute. */
function spanText(seconds: number): string {
  const [size, name] = units.find(([unit]) => seconds >= unit) ?? []
  if (!size) return 'a moment'
  const count = Math.floor(seconds / size)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

const secondsSince = (moment: Date) => (Date.now() - moment.getTime()) / 1000
const utcText = (moment: Date) => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`

export type BackupRules = {
  /** Hours after which a backup is old; 0 when something else backs up the database. */
  backupHours: number
  /** Whether payments are simulated. Such a shop needs no backup. */
  isDemo: boolean
}

/** Returns the time of the shop's first account, that of its admin. */
async function readBeginning(db: Database): Promise<Date> {
  const [first] = await db.select({ at: sql<string | null>`min(${users.createdAt})` }).from(users)
  return first?.at ? new Date(first.at) : new Date()
}

/** Checks that the last backup succeeded and is recent enough. */
export async function checkBackup(
  db: Database,
  { backupHours, isDemo }: BackupRules,
): Promise<CheckResult> {
  const { backup, backupFailure } = await readRuns(db)
  const result = (event: CheckResult['event'], sentence: string): CheckResult => ({
    name: 'backup',
    event,
    sentence,
  })
  if (backupFailure && (!backup || backupFailure.endedAt > backup.endedAt)) {
    const reason = String(backupFailure.detail.reason ?? 'no reason').replace(/\.$/, '')
    const when = utcText(backupFailure.endedAt)
    return result('backup_failed', `The backup of ${when} failed: ${reason}.`)
  }
  if (backupHours === 0)
    return result(null, 'Backups are not watched, as you chose (BACKUP_HOURS=0).')
  const limit = backupHours * 3600
  if (backup) {
    const age = secondsSince(backup.endedAt)
    const sentence = `The last backup was made ${spanText(age)} ago, on ${utcText(backup.endedAt)}.`
    return result(age > limit ? 'backup_old' : null, sentence)
  }
  if (isDemo) return result(null, 'No backup was made. With simulated payments none is needed.')
  const age = secondsSince(await readBeginning(db))
  if (age <= limit) return result(null, 'No backup was made yet.')
  return result('backup_missing', `In ${spanText(age)} no backup of this shop was made.`)
}

const MB = 1024 * 1024

/** Formats a size in whole MB, from 10 GB on in whole GB. */
function sizeText(bytes: number): string {
  const megabytes = Math.floor(bytes / MB)
  return megabytes < 10 * 1024 ? `${megabytes} MB` : `${Math.floor(megabytes / 1024)} GB`
}

/** Checks the free space on this machine's disk. */
export function checkDisk(disk: DiskGuard): CheckResult {
  const free = `${sizeText(disk.freeBytes())} are free on the disk of the shop`
  const event = disk.state()
  const sentence = event === 'disk_full' ? `${free}: no order can be booked.` : `${free}.`
  return { name: 'disk', event, sentence }
}

/**
 * A background job. `age` is the number of seconds since it last succeeded, or since the process
 * started.
 */
export type JobAge = {
  job: string
  age: number
  /** The job is late above this age, in seconds. */
  limit: number
  /** The error of its last run; null if that succeeded. */
  error: string | null
}

/** Checks that every background job of this process runs. */
export function checkJobs(jobs: JobAge[]): CheckResult {
  const late = jobs.filter(({ age, limit }) => age > limit)
  if (late.length === 0) return { name: 'jobs', event: null, sentence: 'All jobs run.' }
  const each = late.map(
    ({ job, age, error }) =>
      `A job has not run for ${spanText(age)}: ${error ?? 'it does not end'} (${job})`,
  )
  return { name: 'jobs', event: 'job_late', sentence: `${each.join('. ')}.` }
}

/**
 * From so many holders without a paid order on, the owner is warned: of half of a part, and of all
 * of it.
 */
const manyHolders = { half: 10, all: 5 }
/** The same of many small parts: all units of so many parts, held by so few holders together. */
const manyParts = { parts: 5, holders: 3 }

/** Checks that customers who never paid as much as they hold do not hold most of a part. */
export async function checkStock(db: Database): Promise<CheckResult> {
  const { rows } = await db.execute<{
    name: string
    holders: string[]
    units: number
    of: number
  }>(sql`
    with held as (
      select part_id, user_id, quantity from ${orders} where hold_expires_at > now()
      union all select part_id, user_id, quantity from ${queuePlaces} where offered_at is not null)
    select p.name, array_agg(distinct u.mailbox) as holders, sum(h.quantity)::int as units,
      p.on_hand - p.to_ship as of
    from held h join ${users} u on u._id = h.user_id join ${parts} p on p._id = h.part_id
    where u.mailbox in (select uncovered(array(
      select distinct v.mailbox from held g join ${users} v on v._id = g.user_id)))
    group by p._id having sum(h.quantity) * 2 >= p.on_hand - p.to_ship
    order by units desc, p.name`)
  const crowded = rows.filter(({ holders, units, of }) => {
    const { half, all } = manyHolders
    return holders.length >= (units >= of ? all : half)
  })
  const each = crowded
    .slice(0, 3)
    .map(
      ({ name, holders, units, of }) =>
        `${holders.length} customers who never paid as much hold ${units} of ${of} units of ${name}`,
    )
  const whole = rows.filter(({ units, of }) => units >= of)
  const together = new Set(whole.flatMap(({ holders }) => holders)).size
  if (whole.length >= manyParts.parts && together >= manyParts.holders)
    each.push(
      `${together} customers who never paid as much hold all units of ${whole.length} parts, among them ${whole[0]?.name}`,
    )
  return each.length > 0
    ? { name: 'stock', event: 'stock_hoarded', sentence: `${each.join('. ')}.` }
    : { name: 'stock', event: null, sentence: 'Enough of each part is free for others.' }
}
