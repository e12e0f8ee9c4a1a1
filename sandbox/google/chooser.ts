import { createHash } from 'node:crypto'
import { html } from 'hono/html'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { type Page, sandboxPage } from '#sandbox/sandbox-page.ts'

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

/** The account chosen in a form, or the form's values to show again. */
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

/**
 * The page between the client's request and the response: shows accounts, and continues with the
 * chosen one.
 */
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
    : { error: 'access_denied', error_description: 'No account was chosen' }
  const returnTo = await provider.interactionResult(ctx.req, ctx.res, result)
  ctx.status = 303
  ctx.res.setHeader('location', returnTo)
  ctx.body = ''
}

type Account = { sub: string; email: string; name: string; emailVerified: boolean }

/**
 * The account id of an address: the same in every process and after a restart, and in a format that
 * Google does not use.
 */
const subOf = (email: string) =>
  `sandbox-${createHash('sha256').update(email).digest('hex').slice(0, 20)}`

/**
 * The accounts that people have entered. A restart forgets them; entering the same address again
 * gives the same account.
 */
export class Accounts {
  #bySub = new Map<string, Account>()

  find(sub: string): Account | undefined {
    return this.#bySub.get(sub)
  }

  /** The eight most recently used, newest first. */
  recent(): Account[] {
    return [...this.#bySub.values()].slice(-8).reverse()
  }

  /** Moves an account to the top of the list. @returns its id */
  use({ email, name, emailVerified }: Omit<Account, 'sub'>): string {
    const sub = subOf(email)
    this.#bySub.delete(sub)
    this.#bySub.set(sub, { sub, email, name, emailVerified })
    return sub
  }
}

type Typed = { name: string; email: string; verified: boolean; problem?: string }

function page(basePath: string, title: string, content: Page): Page {
  return sandboxPage(
    title,
    `${basePath}/chooser.css`,
    html`<main>
    <p class="notice"><strong>Ferrite sandbox — not Google.</strong> Every account here is made up; nothing leaves this machine.</p>
    ${content}
  </main>`,
  )
}

const accountItem = ({ sub, name, email, emailVerified }: Account) => html`<li>
          <button class="account" name="account" value="${sub}">
            <span class="initial" aria-hidden="true">${Array.from(name)[0]?.toUpperCase()}</span>
            <span class="who">
              <span class="name">${name}</span>
              <span class="email">${email}</span>
              ${emailVerified ? '' : html`<span class="mark">e-mail not verified</span>`}
            </span>
          </button>
        </li>`

const list = (accounts: Account[]) => html`<form method="post">
      <h2 class="unseen" id="known">Accounts used before</h2>
      <ul aria-labelledby="known">
        ${accounts.map(accountItem)}
      </ul>
    </form>`

/** Offers previously used accounts, and accepts any name and address. */
function chooserPage(basePath: string, accounts: Account[], typed: Typed): Page {
  const { name, email, verified, problem } = typed
  const describedBy = problem ? html`aria-describedby="problem"` : ''
  return page(
    basePath,
    problem ? 'Error: choose an account' : 'Choose an account',
    html`<h1>Choose an account</h1>
    <p class="lead">to continue to Ferrite</p>
    ${accounts.length > 0 ? list(accounts) : ''}
    <form method="post" class="new">
      <h2>${accounts.length > 0 ? 'Use another account' : 'Make one up'}</h2>
      ${problem ? html`<p id="problem" role="alert">${problem}</p>` : ''}
      <label for="name">Name</label>
      <input id="name" name="name" value="${name}" maxlength="100" required autocomplete="off" ${describedBy}>
      <label for="email">E-mail</label>
      <input id="email" name="email" type="email" value="${email}" maxlength="254" required autocomplete="off" autocapitalize="none" spellcheck="false" ${describedBy}>
      <label class="check"><input type="checkbox" name="verified" ${verified ? 'checked' : ''}> This e-mail is verified</label>
      <button class="go">Continue</button>
    </form>
    <form method="post" class="leave">
      <button name="cancel" value="yes">Cancel</button>
    </form>`,
  )
}

/** Describes an error when the client to return to is unknown. */
export function errorPage(basePath: string, description: string): Page {
  return page(
    basePath,
    'Sign-in cannot go on',
    html`<h1>Sign-in cannot go on</h1>
    <p class="lead">${description}</p>
    <p class="lead">Close this window, go back to the shop and start again.</p>`,
  )
}

/** The page at the sandbox's own URL. */
export const frontPage = (basePath: string) =>
  page(
    basePath,
    'Sandbox for Google',
    html`<h1>Sandbox for Google</h1>
    <p class="lead">It takes the place of Google while no account there is set. Choose ‘continue with google’ in the shop to meet it.</p>
    <p class="lead"><a href="/login">To Login</a></p>`,
  )
