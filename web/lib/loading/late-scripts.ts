/**
 * A page is visible before it needs its scripts, and on a slow connection they would compete with
 * its pictures and fonts. So a page loads them once it is loaded and the next frame is painted, or
 * at the first press or key (the boot script remembers it), or after three seconds at the latest.
 * Measured on a slow phone: the largest picture appears in half the time, and the scripts run no
 * later.
 */
const wait = `await new Promise((go) => {
  // a frame begins once the frame before it is painted
  const loaded = () => requestAnimationFrame(() => requestAnimationFrame(go))
  if (document.readyState === 'complete') loaded()
  else addEventListener('load', loaded, { once: true })
  for (const event of ['pointerdown', 'keydown']) addEventListener(event, go, { once: true, capture: true })
  // a hidden tab paints nothing
  setTimeout(go, 3000)
})`

const preloads = /<link rel="modulepreload"[^>]*? href="([^"]+)"[^>]*>/g
const starter = /(<script[^>]* type="module" async="">)([^<]*)(<\/script>)/
const imported = /import (?:\* as (\w+) from )?("[^"]+");/g

/**
 * Delays React Router's entry script, and the preloads of its imports, until the page is painted.
 * @param html a page rendered by React Router
 * @throws Error if React Router starts pages in a way that this function does not support
 */
export function lateScripts(html: string): string {
  const hrefs = [...html.matchAll(preloads)].map(([, href]) => href)
  const [all, open, body = '', close] = starter.exec(html) ?? []
  const modules = [...body.matchAll(imported)]
  if (!all || modules.length < 2 || hrefs.length === 0) {
    throw new Error('React Router starts a page otherwise than web/lib/late-scripts.ts knows')
  }
  const names = modules.map(([, name = '']) => name).join(', ')
  const imports = modules.map(([, , path]) => `import(${path})`).join(', ')
  const late = `${wait}
for (const href of ${JSON.stringify(hrefs)}) {
  document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
}
// the boot script tells the visitor of scripts that do not load
const loaded = await Promise.all([${imports}]).catch(() => undefined)
if (loaded) {
  const [${names}] = loaded
  ${body.replace(imported, '').trim()}
}`
  return html.replace(preloads, '').replace(all, () => `${open}${late}${close}`)
}
