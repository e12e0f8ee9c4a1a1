import { html } from 'hono/html'

/** Markup that escapes inserted values. */
export type Page = ReturnType<typeof html>

/** The HTML document of a sandbox's page. @param style URL of its style sheet */
export function sandboxPage(title: string, style: string, body: Page): Page {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>${title} · Ferrite sandbox</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="${style}">
</head>
<body>
  ${body}
</body>
</html>`
}
