import { existsSync } from 'node:fs'
import { chown, mkdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { isRoot } from '#server/database/embedded/account.ts'
import { errno, inOneSentence } from '#server/database/embedded/failure.ts'
import { StartError } from '#server/start-error.ts'

/**
 * Makes a folder and those above it that are missing. Node's own `recursive` tries for ever where a file system takes no
 * folders, as /proc does.
 * @returns the uppermost that was made, undefined when all were there
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  if (existsSync(folder)) return undefined
  const above = path.dirname(folder)
  const made = await makeFolder(above)
  try {
    await mkdir(folder)
  } catch (error) {
    if (errno(error) === 'EEXIST') return made
    if (errno(error) !== 'ENOENT') throw error
    throw new StartError(`No folder can be made in ${above}: name another one.`)
  }
  return made ?? folder
}

/**
 * Makes the data folder when missing (root gives it to the owner of the folder above).
 * @returns its path without links
 * @throws StartError when it is not to be used
 */
export function openDataFolder(folder: string): Promise<string> {
  return inOneSentence(folder, async () => {
    const made = await makeFolder(path.resolve(folder))
    if (made && isRoot()) {
      const above = await stat(path.dirname(made))
      await chown(folder, above.uid, above.gid)
    }
    if ((await stat(folder)).isDirectory()) return realpath(folder)
    throw new StartError(`${folder} is not a folder: set DATA_DIR to another folder.`)
  })
}
