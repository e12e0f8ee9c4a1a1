import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { inRoot } from './run.js'

const FILE = inRoot('node_modules', '.ferrite-lock')
const STALE_MS = 30_000

/** Runs `work` while no other process of this checkout installs or builds; the others wait their turn. */
export async function alone(work) {
  mkdirSync(inRoot('node_modules'), { recursive: true })
  const mine = `${process.pid} ${randomBytes(8).toString('hex')}`
  let told = false
  while (!create(FILE, mine)) {
    if (breakStale()) continue
    if (!told) console.log('Waiting for another command that prepares this folder')
    told = true
    await pause(100)
  }
  const beat = setInterval(() => touch(FILE), STALE_MS / 10).unref()
  try {
    return await work()
  } finally {
    clearInterval(beat)
    if (read(FILE) === mine) rmSync(FILE, { force: true })
  }
}

function create(file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Removes the lock of a process that died. Only one process at a time looks and removes. */
function breakStale() {
  if (!isStale(FILE)) return false
  const breaking = `${FILE}.breaking`
  if (!create(breaking, '')) {
    if (age(breaking) > STALE_MS) rmSync(breaking, { force: true })
    return false
  }
  try {
    if (!isStale(FILE)) return false
    rmSync(FILE, { force: true })
    return true
  } finally {
    rmSync(breaking, { force: true })
  }
}

function isStale(file) {
  if (age(file) > STALE_MS) return true
  const pid = Number.parseInt(read(file), 10)
  if (!pid) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function age(file) {
  try {
    return Date.now() - statSync(file).mtimeMs
  } catch {
    return 0
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // It was taken from us after a long sleep of the machine; there is nothing to keep alive.
  }
}
