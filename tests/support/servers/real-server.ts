/**
 * Servers that the tests do not include. `npm run test:providers` runs the tests that need them,
 * and names missing servers.
 */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, test } from 'vitest'
import { installProgram } from './install-program.ts'

declare module 'vitest' {
  interface TaskMeta {
    /**
     * Why a server could not be tested. `npm run test:providers` prints it, and fails on it with
     * `--strict`.
     */
    notHere?: string
    /** Why an adapter is never tested against a real server here. Printed, not a failure. */
    wireFormatAlone?: string
    /** Figures to print. */
    measured?: string
  }
}

/** The server is missing; the message explains how to get it. */
export class NotHere extends Error {}

/**
 * The path of a program.
 * @throws NotHere naming the Debian package that provides it
 */
export function findProgram(name: string, debianPackage = name): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  for (const folder of folders) {
    const file = join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {}
  }
  throw new NotHere(`${name} is not installed: apt-get install ${debianPackage}`)
}

/**
 * Declares the tests that need a real server; without it they are one skipped test with the reason.
 * @param find finds or installs it, and throws NotHere if it cannot
 */
export async function describeServer<T>(
  name: string,
  find: () => T | Promise<T>,
  declare: (found: T) => void,
): Promise<void> {
  let found: T
  try {
    found = await find()
  } catch (error) {
    if (!(error instanceof NotHere)) throw error
    test(name, ({ task, skip }) => {
      task.meta.notHere = `${name}: ${error.message}`
      skip(error.message)
    })
    return
  }
  describe(name, () => declare(found))
}

/** Records that an adapter is tested only by its wire format, and why. */
export function testedByWireFormat(name: string, why: string): void {
  test(`${name} is tested by its wire format alone`, ({ task }) => {
    task.meta.wireFormatAlone = `${name}: ${why}`
  })
}

/**
 * The same for a server from npm.
 * @returns the folder of its package
 * @throws NotHere
 */
export function installServer(spec: string): string {
  try {
    return installProgram(spec)
  } catch (error) {
    throw new NotHere(String(error))
  }
}
