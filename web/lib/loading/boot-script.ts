import { grounds } from '#web/lib/theme.ts'

/**
 * On a slow connection visitors press buttons before the scripts have loaded. This part of the boot
 * script marks the pressed button, which then says 'loading' (`[data-early]` in forms.css), until
 * `EarlyInput` (root.tsx) repeats the click. If the scripts fail to load, the button offers to
 * reload the page. Enter in a field counts as a click on the form's button. Everything that works
 * without scripts is left alone: links, menus, and forms that submit themselves. In a form that
 * scripts submit on each change (`data-live`), it marks the chosen or typed values; the form is
 * submitted once the scripts have loaded. A link that adds a part to the basket also adds those
 * clicked before it: the second click cancels what the first asked for.
 */
const keepEarlyClicks = `
let haveScriptsFailed = false
addEventListener('error', ({ target }) => {
  if (!(target instanceof Element && target.matches('script, link[rel="modulepreload"]'))) return
  haveScriptsFailed = true
  for (const button of document.querySelectorAll('button[data-early]')) button.dataset.early = 'failed'
}, true)
let added = 'add='
addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest('button, [href*="?add="]')
  if (!button || 'hydrated' in document.documentElement.dataset) return
  if (button.href) return (button.search = added += button.search.slice(5) + ',')
  if (button.hasAttribute('popovertarget') || (button.type === 'submit' && button.form?.method !== 'post')) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (button.dataset.early === 'failed') return location.reload()
  button.dataset.early = haveScriptsFailed ? 'failed' : ''
  button.ariaBusy = String(!haveScriptsFailed)
}, true)
addEventListener('input', ({ target }) => {
  if ('hydrated' in document.documentElement.dataset || !target.form?.matches('[data-live]')) return
  target.dataset.early = target.type === 'checkbox' ? target.checked : target.value
}, true)
`

/**
 * Runs in <head> before the first paint, and only there: the browser's bundle excludes it.
 * - Marks <html> with the chosen theme and with whether a user is logged in, so that CSS shows the
 * right half at once, and sets the colour of the browser's bars to the theme's background.
 * - Stops zod from trying `new Function`, which the content security policy forbids and the console
 * would report.
 * - Defines the only Trusted Types policy: a string used as HTML must have no tag, except the empty
 * script with which React creates script elements, and scripts come only from the shop's workers,
 * the card provider and Google.
 * - Remembers clicks and choices until the other scripts have loaded.
 */
export const bootScript = `
globalThis.__zod_globalConfig = { jitless: true }
globalThis.trustedTypes?.createPolicy('default', {
  createHTML: (text) => text === '\\x3cscript>\\x3c/script>' || !text.includes('\\x3c') ? text : null,
  createScriptURL: (url) => /^(\\/(assets\\/worker-|sandbox\\/stripe\\/)|https:\\/\\/(js\\.stripe|apis\\.google)\\.com\\/)/.test(url) ? url : null,
})
try {
  const { dataset } = document.documentElement
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') {
    dataset.theme = theme
    const meta = document.createElement('meta')
    meta.name = 'theme-color'
    meta.content = ${/* @__PURE__ */ JSON.stringify(grounds)}[theme]
    document.head.prepend(meta)
  }
  dataset.session = localStorage.getItem('accessToken') ? 'user' : 'visitor'
} catch {}
${keepEarlyClicks}`
