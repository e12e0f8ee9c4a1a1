// package.json runs this by `exec`, so that npm waits for a clean stop; what follows `||` there is for Windows.
// npm start: installs, builds and serves the shop, skipping what is up to date. npm run dev: the same with hot reload.
const [major] = process.versions.node.split('.').map(Number)
if (major < 20) {
  console.error(`This is Node ${process.versions.node}: install Node 20 or newer and try again.`)
  process.exit(1)
}
const { existsSync } = await import('node:fs')
const { inRoot, main, node, run } = await import('./run.js')
const { ensureInstalled } = await import('./install.js')
const { ensureBuilt } = await import('./build.js')

const settings = existsSync(inRoot('.env')) ? ['--env-file=.env'] : []
// Compiled code from the last start: a later one is a third of a second quicker.
const codeCache = inRoot('node_modules', '.cache', 'node')
// A third less memory than with V8's default for as many requests a second.
const memory = '--max-semi-space-size=8'

await main(async () => {
  const words = process.argv.slice(2)
  const dev = words.includes('--dev')
  await ensureInstalled()
  if (!dev) await ensureBuilt()
  const args = [...settings, ...(dev ? [] : [memory]), 'server/main.ts', ...words]
  const env = {
    NODE_COMPILE_CACHE: codeCache,
    // glibc keeps freed memory in a pool for each of many threads: with two, pictures cost 70 MB less
    MALLOC_ARENA_MAX: '2',
    ...process.env,
    NODE_ENV: dev ? 'development' : 'production',
  }
  const { code } = await run(node, args, { env })
  return code
})
