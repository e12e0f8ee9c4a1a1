/**
 * The API's document as an HTML page. It needs no script, so it works under the strictest content
 * policy.
 */
import { html } from 'hono/html'
import type { ApiDocument, DocumentedCall, Schema } from './api-document.ts'

type Markup = ReturnType<typeof html>

/** Formats `code` and **bold** text. */
const inline = (text: string) =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece) => {
    if (piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`
    return piece.startsWith('**') ? html`<strong>${piece.slice(2, -2)}</strong>` : piece
  })
/** Paragraphs, and commands between lines of three backticks. */
const paragraphs = (text: string) =>
  text.split('\n\n').map((one) => {
    const commands = /^```\n([\s\S]*)\n```$/.exec(one)?.[1]
    return commands ? html`<pre tabindex="0">${commands}</pre>` : html`<p>${inline(one)}</p>`
  })

const joined = (pieces: Markup[], word: string): Markup =>
  html`${pieces.map((piece, at) => (at === 0 ? piece : html`${word}${piece}`))}`

const range = (min: number | undefined, max: number | undefined, unit = '') => {
  if (min !== undefined && max !== undefined) return `, ${min} to ${max}${unit}`
  if (max !== undefined) return `, up to ${max}${unit}`
  return min === undefined ? '' : `, ${min} or more${unit}`
}

const formats: Record<string, string> = {
  uuid: 'UUID',
  'date-time': 'date and time',
  date: 'date',
  email: 'e-mail address',
  binary: 'file',
}

/** Patterns that have a better description in words. */
const patterns: Record<string, string> = {
  '^\\P{Cc}*$': ', without control characters',
  '^[^\\0]*$': '',
}

function textType({ format = '', pattern, minLength, maxLength }: Schema): Markup {
  const length = range(minLength, maxLength, ' characters')
  const matching = html`, matching <code>${pattern}</code>`
  const shape = pattern ? (patterns[pattern] ?? matching) : ''
  return html`${formats[format] ?? 'text'}${length}${shape}`
}

const nameOf = ({ $ref }: Schema) => $ref?.split('/').at(-1)

/** Describes a value's schema. */
function typeOf(schema: Schema): Markup {
  const { type, anyOf, minimum, maximum } = schema
  const name = nameOf(schema)
  if (name) return html`<a href="#${name}">${name}</a>`
  if (anyOf) return joined(anyOf.map(typeOf), ' or ')
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum) {
    const values = schema.enum.map((value) => html`<code>${value}</code>`)
    return html`one of ${joined(values, ', ')}`
  }
  if (type === 'array') return html`list of ${typeOf(schema.items ?? {})}`
  if (type === 'string') return textType(schema)
  if (type === 'integer') return html`whole number${range(minimum, maximum)}`
  if (type === 'number') return html`number${range(minimum, maximum)}`
  if (type === 'boolean') return html`true or false`
  return html`${type ?? 'anything'}`
}

type Listed = { path: string; method: string; call: DocumentedCall }

/** The schema, or the one it refers to. */
function named(schema: Schema, { components }: ApiDocument): Schema {
  const name = nameOf(schema)
  return (name && components.schemas[name]) || schema
}

type Field = { name: string; required: boolean; schema: Schema; description?: string | undefined }

/** The fields of an object, and of nested objects without a name of their own. */
function fieldsOf({ properties = {}, required = [] }: Schema, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = prefix + key
    const { description } = schema
    const field = { name, required: required.includes(key), schema, description }
    const inner = schema.type === 'array' ? schema.items : schema
    const path = schema.type === 'array' ? `${name}[].` : `${name}.`
    return [field, ...(inner?.properties ? fieldsOf(inner, path) : [])]
  })
}

const fieldList = (fields: Field[], isAnswer: boolean) => html`<dl class="fields">
${fields.map(({ name, required, schema, description }) => {
  const { default: whenMissing } = schema
  const value = typeof whenMissing === 'string' ? whenMissing : JSON.stringify(whenMissing)
  const missing = value === undefined ? '' : html`, else <code>${value}</code>`
  const use =
    required === isAnswer ? '' : html` <small>${required ? 'required' : 'optional'}</small>`
  return html`<div><dt><code>${name}</code>${use}</dt>
  <dd>${typeOf(schema)}${missing}${description ? html`<br>${inline(description)}` : ''}</dd></div>`
})}
</dl>`

const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The call as a command, with the examples of its parameters and body. */
function command(document: ApiDocument, root: string, { method, path, call }: Listed): string {
  const [type, content] = Object.entries(call.requestBody?.content ?? {})[0] ?? []
  const example = content && named(content.schema, document).examples?.[0]
  const isJson = type === 'application/json'
  const address = call.parameters.reduce((url, { name, schema }) => {
    return url.replace(`{${name}}`, String(schema.examples?.[0] ?? `{${name}}`))
  }, root + path)
  const query = call.parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name, schema }) => `${name}=${schema.examples?.[0] ?? ''}`)
  const url = shell([address, ...query].join('?'))
  const lines = [
    ...(method === 'get' ? [`curl ${url}`] : [`curl -X ${method.toUpperCase()}`, url]),
    ...(call.security.length > 0 && call.security[0]?.accessToken
      ? [`-H "Authorization: Bearer $TOKEN"`]
      : []),
    ...(call.parameters.some(({ name }) => name === 'Idempotency-Key')
      ? [`-H "Idempotency-Key: $(uuidgen)"`]
      : []),
    ...(type === 'application/octet-stream' ? ['--data-binary @part.jpg'] : []),
    ...(type === 'text/csv' ? ["-H 'Content-Type: text/csv'", '--data-binary @parts.csv'] : []),
    ...(isJson && example
      ? ["-H 'Content-Type: application/json'", `-d ${shell(JSON.stringify(example, null, 2))}`]
      : []),
  ]
  return lines.join(' \\\n  ')
}

function bodyOf({ requestBody }: DocumentedCall, document: ApiDocument) {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (!type || !content) return ''
  const fields = fieldsOf(named(content.schema, document))
  return html`<h4>Body</h4>
  ${type === 'application/json' ? '' : html`<p><code>${type}</code></p>`}
  ${fields.length > 0 ? fieldList(fields, false) : ''}`
}

function answerOf({ responses }: DocumentedCall) {
  const { 200: success, ...refusals } = responses
  const [type, content] = Object.entries(success?.content ?? {})[0] ?? []
  const fields = content ? fieldsOf(content.schema) : []
  const what =
    type === 'application/json' && content ? typeOf(content.schema) : html`<code>${type}</code>`
  return html`<h4>Answer</h4>
  ${fields.length > 0 ? fieldList(fields, true) : html`<p>${what}</p>`}
  <details><summary>Refusals</summary><dl class="fields">
  ${Object.entries(refusals).map(([status, { description }]) => {
    const codes = description.split('\n\n').map((one) => one.split(': '))
    return codes.map(
      ([code, ...meaning]) => html`<div><dt>${status} <code>${code}</code></dt>
      <dd>${inline(meaning.join(': '))}</dd></div>`,
    )
  })}
  </dl></details>`
}

const verb = (method: string) => html`<span class="verb ${method}">${method.toUpperCase()}</span>`

/** @param root the base URL of the calls, such as `https://shop.example/api` */
export function apiDocsPage(document: ApiDocument, root: string, shopName: string): string {
  const { info, tags, paths, components } = document
  const calls = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, call]): Listed => ({ path, method, call })),
  )
  const callsOf = (section: string) => calls.filter(({ call }) => call.tags.includes(section))
  const idOf = (section: string) => section.toLowerCase().replaceAll(' ', '-')
  const objects = Object.entries(components.schemas).filter(([, { properties }]) => properties)
  const page = html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>${info.title}</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="robots" content="noindex">
  <link rel="icon" href="/favicon.svg">
  <link rel="stylesheet" href="/api/docs.css">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><a href="/">${shopName}</a><a href="/api/openapi.json">OpenAPI document</a></header>
<div class="page">
<nav aria-label="Calls">
  <ul class="sections">${tags.map(
    ({ name }) => html`<li><a class="section" href="#${idOf(name)}">${name}</a>
    <ul class="calls">${callsOf(name).map(
      ({ path, method, call }) =>
        html`<li><a href="#${call.operationId}">${verb(method)} <span>${path}</span></a></li>`,
    )}</ul></li>`,
  )}<li><a class="section" href="#objects">Objects</a></li></ul>
</nav>
<main id="main">
<h1>${info.title} <small>${info.version}</small></h1>
${paragraphs(info.description)}
${tags.map(
  ({ name }) => html`<section aria-labelledby="${idOf(name)}"><h2 id="${idOf(name)}">${name}</h2>
${callsOf(name).map((listed) => {
  const { path, method, call } = listed
  const inputs = call.parameters.map(({ name, required, description, schema }) => {
    return { name, required, schema, description }
  })
  return html`<article aria-labelledby="${call.operationId}">
  <h3 id="${call.operationId}"><a class="anchor" href="#${call.operationId}">${verb(method)} <code>${path}</code></a></h3>
  <p>${call.summary} ${inline(call.description)}</p>
  <pre tabindex="0">${command(document, root, listed)}</pre>
  ${inputs.length > 0 ? html`<h4>Parameters</h4>${fieldList(inputs, false)}` : ''}
  ${bodyOf(call, document)}
  ${answerOf(call)}
  </article>`
})}</section>`,
)}
<section aria-labelledby="objects"><h2 id="objects">Objects</h2>
${objects.map(
  ([
    name,
    schema,
  ]) => html`<article aria-labelledby="${name}"><h3 id="${name}"><code>${name}</code></h3>
  ${schema.description ? html`<p>${inline(schema.description)}</p>` : ''}
  ${fieldList(fieldsOf(schema), true)}</article>`,
)}</section>
</main>
</div>
</body>
</html>`
  return String(page)
}
