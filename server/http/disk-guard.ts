import { mkdir } from 'node:fs/promises'
import { createMiddleware } from 'hono/factory'
import type { Logger } from 'pino'
import { freeBytes } from '#server/data-folder.ts'
import { AppError } from '#server/errors.ts'

/** With less free disk the shop refuses writes: PostgreSQL panics on a full disk. */
const leastBytes = 256 * 1024 * 1024

export type DiskGuard = {
  /** Whether the last look found too little disk to write. */
  isLow(): boolean
  look(): Promise<void>
}

/** Watches the disks that hold `folders`. @param free bytes that are left of one, e.g. `freeBytes` */
export function diskGuard(
  folders: string[],
  log: Logger,
  free: (folder: string) => Promise<number> = freeBytes,
): DiskGuard {
  let low = false
  return {
    isLow: () => low,
    async look() {
      for (const folder of folders) await mkdir(folder, { recursive: true })
      const bytes = Math.min(...(await Promise.all(folders.map(free))))
      if (bytes < leastBytes && !low) log.error({ bytes }, 'disk_full')
      if (bytes >= leastBytes && low) log.warn({ bytes }, 'disk_free')
      low = bytes < leastBytes
    },
  }
}

export const storageLow = () =>
  new AppError(
    'STORAGE_LOW',
    'The shop is out of disk space. Nothing was changed; try again later.',
  )

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses writes while the disk is nearly full: failing half-way would cost more. */
export function refuseOnFullDisk(disk: DiskGuard) {
  return createMiddleware(async (c, next) => {
    if (disk.isLow() && !reading.has(c.req.method)) throw storageLow()
    await next()
  })
}
