import { userInfo } from 'node:os'
import { StartError } from '#server/start-error.ts'

/** errno name of a failed system call, '' for other errors. */
export function errno(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}

export function diskFull(folder: string): StartError {
  return new StartError(
    `The disk that holds ${folder} is full: free at least 256 MB and start again.`,
  )
}

function refused(folder: string, instead: string): StartError {
  return new StartError(
    `The user ${userName()} may not use ${folder}: start as the user who owns it, ` +
      `give it to yourself with chown -R, or ${instead}.`,
  )
}

/**
 * Runs `work` and turns what a disk or its rights refuse into one sentence about `folder`.
 * @param instead what else can be done
 */
export async function inOneSentence<T>(
  folder: string,
  work: () => Promise<T>,
  instead = 'set DATA_DIR to another folder',
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = errno(error)
    if (code === 'ENOSPC' || code === 'EDQUOT') throw diskFull(folder)
    if (code === 'EACCES' || code === 'EPERM') throw refused(folder, instead)
    if (code === 'EROFS') {
      throw new StartError(`${folder} cannot be written to: ${instead}.`)
    }
    if (code === 'ENOTDIR' || code === 'EEXIST') {
      throw new StartError(`${folder} is not a folder: ${instead}.`)
    }
    throw error
  }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `number ${process.getuid?.()}`
  }
}
