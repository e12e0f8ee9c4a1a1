import { keepEarlyClicks } from './early-clicks.ts'
import { grounds } from './theme.ts'

/**
 * Runs in <head> before the first paint: marks <html> with the chosen theme and with whether somebody is logged in, so
 * that CSS shows the right half at once. It reads the two things that this shop keeps in local storage. The browser's
 * own bars take the ground of the chosen theme. It tells zod not to try `new Function`, which the content security
 * policy forbids and the console would report. And it is the one policy of Trusted Types: what becomes HTML has no tag
 * in it, but for the empty script that React begins one with, and scripts come from the card provider. At last it keeps
 * what is pressed before the other scripts are there.
 */
export const bootScript = `
globalThis.__zod_globalConfig = { jitless: true }
globalThis.trustedTypes?.createPolicy('default', {
  createHTML: (text) => text === '\\x3cscript>\\x3c/script>' || !text.includes('\\x3c') ? text : null,
  createScriptURL: (url) => /^(\\/sandbox\\/stripe\\/|https:\\/\\/js\\.stripe\\.com\\/)/.test(url) ? url : null,
})
try {
  const { dataset } = document.documentElement
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') {
    dataset.theme = theme
    const meta = document.createElement('meta')
    meta.name = 'theme-color'
    meta.content = ${JSON.stringify(grounds)}[theme]
    document.head.prepend(meta)
  }
  dataset.session = localStorage.getItem('accessToken') ? 'user' : 'visitor'
} catch {}
${keepEarlyClicks}`
