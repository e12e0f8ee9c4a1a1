import { createHash } from 'node:crypto'

/** The type of the popup's message. */
export const eventPattern = /^[\w-]{16,64}$/

const script = `
const { event, error } = document.body.dataset
const eventId = event || (/^[\\w-]{16,64}$/.test(window.name) ? window.name : null)
if (window.opener) {
  window.opener.postMessage(
    { type: 'ferrite:identity', eventId, error: error || null },
    location.origin,
  )
  window.close()
}
`

const style = `
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; box-sizing: border-box;
  background: light-dark(#f5f2ec, #131517); color: light-dark(#17191b, #f1ede6); font: 400 17px/1.5 system-ui, sans-serif }
main { max-width: 26rem; text-align: center }
h1 { margin: 20px 0 8px; font-size: 24px; line-height: 1.2; letter-spacing: -.01em }
p { margin: 0 0 24px; color: light-dark(#5c6166, #a5a9ad) }
a { display: inline-block; padding: 12px 24px; border-radius: 999px; font-weight: 600; text-decoration: none;
  background: light-dark(#a84f17, #e8935a); color: light-dark(#fffdf9, #1b1005) }
a:focus-visible { outline: 2px solid light-dark(#a84f17, #e8935a); outline-offset: 3px }
circle { fill: none; stroke: light-dark(#17191b, #f1ede6); stroke-width: 7 }
circle + circle { stroke: light-dark(#a84f17, #e8935a); stroke-dasharray: 5 6.78 }
`

const source = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src ${source(script)}; style-src ${source(style)}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
}

/**
 * The last page of the popup: sends a message to the page that opened it, and closes. Without an
 * opener, it links to the shop.
 * @param event empty when unknown; @param error a code of the browser's port, empty on success
 */
export function donePage(event: string, error: string): Response {
  const [title, text, href, action] = error
    ? [
        'Sign-in did not work',
        'Nothing was changed. Close this window, or go on here.',
        `/login?google=${encodeURIComponent(error)}`,
        'Back to Login',
      ]
    : ['You are signed in', 'Close this window, or go on here.', '/login?google=done', 'Go on']
  return new Response(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body data-event="${event}" data-error="${error}">
<main>
<svg width="56" height="56" viewBox="0 0 56 56" aria-hidden="true"><circle cx="28" cy="28" r="18"/><circle cx="28" cy="28" r="18"/></svg>
<h1>${title}</h1>
<p>${text}</p>
<a href="${href}">${action}</a>
</main>
<script>${script}</script>
</body>
</html>
`,
    { headers },
  )
}
