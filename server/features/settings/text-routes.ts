import { Hono } from 'hono'
import { z } from 'zod'
import { Modified, modified } from '#contracts/api.ts'
import {
  OwnText,
  StoredText,
  TextEdit,
  TextParams,
  TextPreview,
  TextSections,
} from '#contracts/texts.ts'
import type { Database } from '#server/database/client.ts'
import { anyone, type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { checkMarkdown } from './parse-markdown.ts'
import { listTexts, readOwnText, saveText } from './text-store.ts'

const maxBody = { bytes: 256 * 1024 }

/** The owner's own texts on the pages of text. */
export function textRoutes({ db }: { db: Database }) {
  return new Hono<Env>()
    .get(
      '/text/:page',
      anyone({
        summary: 'Reads the owner’s own text of a page; null while it has the shop’s.',
        shows: 'settings',
        cached: 'everybody',
        answer: OwnText,
      }),
      valid('param', TextParams),
      async (c) => {
        c.header('cache-control', 'no-cache')
        return c.json((await readOwnText(db, c.req.valid('param').page)) satisfies OwnText)
      },
    )
    .get(
      '/texts',
      requireAdmin({
        summary: 'Lists the pages of text, each with the owner’s own text as it is stored.',
        answer: z.array(StoredText),
      }),
      async (c) => c.json((await listTexts(db)) satisfies StoredText[]),
    )
    .post(
      '/texts/preview',
      requireAdmin({
        summary: 'Reads a text from its Markdown, as its page would show it.',
        maxBody,
        answer: TextSections,
      }),
      valid('json', TextPreview),
      (c) => c.json(checkMarkdown(c.req.valid('json').text)),
    )
    .put(
      '/texts/:page',
      requireAdmin({
        summary: 'Saves the owner’s own text of a page; an empty one brings the shop’s back.',
        maxBody,
        answer: Modified,
        errors: ['OUTDATED'],
        description:
          'Markdown of headings, paragraphs, lists, emphasis, `code` and links; HTML and pictures stay as they were typed. `version` is that of the text as it was read.',
      }),
      valid('param', TextParams),
      valid('json', TextEdit),
      async (c) => {
        const { page } = c.req.valid('param')
        return c.json(modified(await saveText(db, c.var.caller, page, c.req.valid('json'))))
      },
    )
}
