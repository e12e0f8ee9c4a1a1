import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Accounts } from './accounts.ts'
import { chooserPage, errorPage, type Typed } from './pages.ts'

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

/** The account that a form chooses, or what to show again instead. */
function chosenBy(form: URLSearchParams | null, accounts: Accounts): { sub: string } | Typed {
  const listed = form?.get('account')
  if (listed) {
    const account = accounts.find(listed)
    return account ? { sub: accounts.use(account) } : blank
  }
  const typed = form ? readTyped(form) : blank
  if (!form || typed.problem) return typed
  const { name, email, verified } = typed
  return { sub: accounts.use({ name, email, emailVerified: verified }) }
}

/** The page between the client's request and its answer: it shows accounts, and goes on with the chosen one. */
export async function choose(
  ctx: Context,
  provider: Provider,
  { accounts, basePath }: { accounts: Accounts; basePath: string },
): Promise<void> {
  const show = (page: unknown, status: number) => {
    ctx.status = status
    ctx.type = 'html'
    ctx.body = String(page)
  }
  const chooser = (typed: Typed) => chooserPage(basePath, accounts.recent(), typed)
  const waiting = await provider.interactionDetails(ctx.req, ctx.res).catch(() => null)
  if (!waiting) {
    const over = 'This sign-in is over, or it began in another window.'
    return show(errorPage(basePath, over), 400)
  }
  if (ctx.method !== 'POST') return show(chooser(blank), 200)
  const form = await formOf(ctx)
  const choice = form?.has('cancel') ? null : chosenBy(form, accounts)
  if (choice && 'name' in choice) return show(chooser(choice), 400)
  const result = choice
    ? { login: { accountId: choice.sub, remember: false }, select_account: {} }
    : { error: 'access_denied', error_description: 'Nobody was chosen' }
  const returnTo = await provider.interactionResult(ctx.req, ctx.res, result)
  ctx.status = 303
  ctx.res.setHeader('location', returnTo)
  ctx.body = ''
}
