/** Firebase's official Auth emulator, installed from npm by the tests that need it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { freePort } from './free-port.ts'
import { installServer } from './real-server.ts'

/**
 * The path of the firebase-tools program.
 * @throws NotHere
 */
export const emulatorProgram = (): string =>
  join(installServer('firebase-tools@15.34.2'), 'lib/bin/firebase.js')

const Codes = z.object({
  oobCodes: z.array(
    z.object({
      email: z.string(),
      newEmail: z.string().optional(),
      requestType: z.string(),
      oobLink: z.string(),
    }),
  ),
})

/** Projects whose name begins with `demo-` need no Google account. */
const projectId = 'demo-ferrite'

export async function startEmulator(program: string) {
  const folder = await mkdtemp(join(tmpdir(), 'ferrite-emulator-'))
  const [port, hub, logging] = [await freePort(), await freePort(), await freePort()]
  const host = `127.0.0.1:${port}`
  const emulators = {
    auth: { host: '127.0.0.1', port },
    hub: { host: '127.0.0.1', port: hub },
    logging: { host: '127.0.0.1', port: logging },
    ui: { enabled: false },
  }
  await writeFile(join(folder, 'firebase.json'), JSON.stringify({ emulators }))
  const words = [program, 'emulators:start', '--only', 'auth', '--project', projectId]
  const child = spawn(process.execPath, words, {
    cwd: folder,
    // the emulator stores its user's data there
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, CI: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const answers = () =>
    fetch(`http://${host}`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`the emulator did not start: ${output}`)
    await pause(200)
  }
  return {
    settings: {
      FIREBASE_PROJECT_ID: projectId,
      FIREBASE_API_KEY: 'any-key',
      FIREBASE_AUTH_EMULATOR_HOST: host,
    },
    /**
     * The newest link mailed to an address.
     * @param type such as VERIFY_EMAIL
     */
    async linkMailedTo(email: string, type: string): Promise<string | undefined> {
      const answer = await fetch(`http://${host}/emulator/v1/projects/${projectId}/oobCodes`)
      const { oobCodes } = Codes.parse(await answer.json())
      const meant = oobCodes.filter(
        (code) => (code.newEmail ?? code.email) === email && code.requestType === type,
      )
      return meant.at(-1)?.oobLink
    },
    async stop() {
      child.kill()
      if (child.exitCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
