import { statfs } from 'node:fs/promises'

/** Below this many bytes of free disk the shop takes no new writes. */
export const LOW_SPACE = 256 * 1024 * 1024

/** Free bytes, for an ordinary user, of the disk that holds `folder`. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
