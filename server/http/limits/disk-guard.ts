import { mkdir } from 'node:fs/promises'
import { createMiddleware } from 'hono/factory'
import type { Logger } from 'pino'
import { freeBytes } from '#server/data-folder.ts'
import { AppError } from '#server/errors.ts'

const MB = 1024 * 1024
/** Below this much free disk, the shop refuses writes, because PostgreSQL panics on a full disk. */
const leastBytes = 256 * MB
/** Below this much free disk, the shop warns the owner. */
const lowBytes = 1024 * MB
/**
 * A warning ends only when free disk exceeds the limit by this factor, so that a disk at the limit
 * does not warn all day.
 */
const wellFactor = 1.25

type DiskState = 'disk_full' | 'disk_low' | null

export type DiskGuard = {
  /** Whether the last look found too little disk to write. */
  isFull(): boolean
  /** What the last look found, named as in the log; null while there is room. */
  state(): DiskState
  /** Free bytes at the last look, of the fuller disk. */
  freeBytes(): number
  look(): Promise<void>
}

/** Watches the disks of `folders`. @param free free bytes on a folder's disk, e.g. `freeBytes` */
export function diskGuard(
  folders: string[],
  log: Logger,
  free: (folder: string) => Promise<number> = freeBytes,
): DiskGuard {
  let state: DiskState = null
  let bytes = Number.POSITIVE_INFINITY
  const next = (): DiskState => {
    if (bytes < leastBytes) return 'disk_full'
    return bytes < (state ? lowBytes * wellFactor : lowBytes) ? 'disk_low' : null
  }
  return {
    isFull: () => state === 'disk_full',
    state: () => state,
    freeBytes: () => bytes,
    async look() {
      for (const folder of folders) await mkdir(folder, { recursive: true })
      bytes = Math.min(...(await Promise.all(folders.map(free))))
      const before = state
      state = next()
      if (state === 'disk_full' && before !== state) log.error({ bytes }, 'disk_full')
      if (state !== 'disk_full' && before === 'disk_full') log.warn({ bytes }, 'disk_free')
    },
  }
}

export const storageLow = () =>
  new AppError(
    'STORAGE_LOW',
    'The shop is out of disk space. Nothing was changed; try again later.',
  )

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses writes while the disk is nearly full, because a failure halfway would cost more. */
export function refuseOnFullDisk(disk: DiskGuard) {
  return createMiddleware(async (c, next) => {
    if (disk.isFull() && !reading.has(c.req.method)) throw storageLow()
    await next()
  })
}
