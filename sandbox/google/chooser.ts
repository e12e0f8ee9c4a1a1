import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Pool } from 'pg'
import { keepAccount, recentAccounts, reuseAccount } from './accounts.ts'
import { chooserPage, errorPage, type Typed } from './documents.ts'

const largestForm = 4096
const blank: Typed = { name: '', email: '', verified: true }

type Context = Pick<KoaContextWithOIDC, 'req' | 'res' | 'method' | 'status' | 'type' | 'body'>

async function formOf(ctx: Context): Promise<URLSearchParams | null> {
  let text = ''
  for await (const chunk of ctx.req.setEncoding('utf8')) {
    text += chunk
    if (text.length > largestForm) return null
  }
  return new URLSearchParams(text)
}

function readTyped(form: URLSearchParams): Typed {
  const name = (form.get('name') ?? '').trim()
  const email = (form.get('email') ?? '').trim().toLowerCase()
  const typed = { name, email, verified: form.has('verified') }
  if (!name || name.length > 100)
    return { ...typed, problem: 'Give a name of 1 to 100 characters.' }
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email.length > 254) {
    return { ...typed, problem: 'Give an e-mail address like ada@example.com.' }
  }
  return typed
}

export type ChooserOptions = { pool: Pool; basePath: string }

function show(ctx: Context, page: string, status: number): void {
  ctx.status = status
  ctx.type = 'html'
  ctx.body = page
}

const chosen = (accountId: string) => ({
  login: { accountId, remember: false },
  select_account: {},
})

/** Who was chosen, what was typed wrongly, or that nobody wants to. */
async function answerOf(pool: Pool, form: URLSearchParams) {
  if (form.has('cancel')) return 'cancelled'
  const known = form.get('account')
  if (known !== null) return { sub: await reuseAccount(pool, known) }
  const typed = readTyped(form)
  if (typed.problem) return typed
  const { name, email, verified } = typed
  return { sub: await keepAccount(pool, { name, email, emailVerified: verified }) }
}

/** The page between the client's request and its answer: it shows accounts, and goes on with the chosen one. */
export async function choose(
  ctx: Context,
  provider: Provider,
  { pool, basePath }: ChooserOptions,
): Promise<void> {
  const waiting = await provider.interactionDetails(ctx.req, ctx.res).catch(() => null)
  if (!waiting) {
    return show(
      ctx,
      String(errorPage(basePath, 'This sign-in is over, or it began in another window.')),
      400,
    )
  }
  const page = async (typed: Typed, status: number) =>
    show(ctx, String(chooserPage(basePath, await recentAccounts(pool), typed)), status)
  if (ctx.method !== 'POST') return page(blank, 200)
  const form = await formOf(ctx)
  const answer = form ? await answerOf(pool, form) : blank
  if (answer !== 'cancelled' && 'name' in answer) return page(answer, 400)
  if (answer !== 'cancelled' && !answer.sub) return page(blank, 400)
  const result =
    answer === 'cancelled'
      ? { error: 'access_denied', error_description: 'Nobody was chosen' }
      : chosen(String(answer.sub))
  const returnTo = await provider.interactionResult(ctx.req, ctx.res, result)
  ctx.status = 303
  ctx.res.setHeader('location', returnTo)
  ctx.body = ''
}
