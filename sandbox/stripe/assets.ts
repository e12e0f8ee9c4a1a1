import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'browser')

/**
 * Joins browser modules into one classic script, in the given order: a frame with an opaque origin
 * cannot load modules, and a page expects `window.Stripe` as soon as the script has loaded.
 */
function joined(part: 'stripe' | 'frame', names: string[]): string {
  const sources = names.map((name) =>
    readFileSync(join(folder, part, `${name}.js`), 'utf8')
      .replace(/^import [^']*'\.\/[^']+'\n/gm, '')
      .replace(/^export /gm, ''),
  )
  return `(() => {\n'use strict'\n${sources.join('\n')}})()\n`
}

const sheet = (name: string) => readFileSync(join(folder, 'frame', `${name}.css`), 'utf8')

export type Asset = { path: string; type: string; text: string }

const script = (path: string, text: string): Asset => ({
  path,
  type: 'text/javascript; charset=utf-8',
  text,
})
const css = (path: string, text: string): Asset => ({ path, type: 'text/css; charset=utf-8', text })

/** Everything the browser loads, read once. */
export function readAssets(): Asset[] {
  const cardFrame = ['connect', 'card-rules', 'formats', 'fields', 'card-request', 'paint', 'frame']
  const page = [
    'api',
    'theme',
    'connect',
    'listeners',
    'card-element',
    'elements',
    'challenge',
    'payments',
  ]
  return [
    script('/stripe.js', joined('stripe', [...page, 'stripe'])),
    script('/frame.js', joined('frame', cardFrame)),
    script('/3ds.js', joined('frame', ['connect', 'challenge'])),
    css('/frame.css', sheet('frame')),
    css('/3ds.css', sheet('challenge')),
  ]
}
