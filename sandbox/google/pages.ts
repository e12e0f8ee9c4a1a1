import { html } from 'hono/html'
import { type Page, sandboxPage } from '#sandbox/sandbox-page.ts'
import type { Account } from './accounts.ts'

export type Typed = { name: string; email: string; verified: boolean; problem?: string }

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

const known = ({ sub, name, email, emailVerified }: Account) => html`<li>
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
        ${accounts.map(known)}
      </ul>
    </form>`

/** Offers the accounts used before, and takes any name and address. */
export function chooserPage(basePath: string, accounts: Account[], typed: Typed): Page {
  const { name, email, verified, problem } = typed
  const wrong = problem ? html`aria-describedby="problem"` : ''
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
      <input id="name" name="name" value="${name}" maxlength="100" required autocomplete="off" ${wrong}>
      <label for="email">E-mail</label>
      <input id="email" name="email" type="email" value="${email}" maxlength="254" required autocomplete="off" autocapitalize="none" spellcheck="false" ${wrong}>
      <label class="check"><input type="checkbox" name="verified" ${verified ? 'checked' : ''}> This e-mail is verified</label>
      <button class="go">Continue</button>
    </form>
    <form method="post" class="leave">
      <button name="cancel" value="yes">Cancel</button>
    </form>`,
  )
}

/** Says what went wrong when no client is known to send it back to. */
export function errorPage(basePath: string, description: string): Page {
  return page(
    basePath,
    'Sign-in can not go on',
    html`<h1>Sign-in can not go on</h1>
    <p class="lead">${description}</p>
    <p class="lead">Close this window, go back to the shop and start again.</p>`,
  )
}

/** What the sandbox says of itself at its own address. */
export const frontPage = (basePath: string) =>
  page(
    basePath,
    'Sandbox for Google',
    html`<h1>Sandbox for Google</h1>
    <p class="lead">It takes the place of Google while no account there is set. Choose ‘continue with google’ in the shop to meet it.</p>
    <p class="lead"><a href="/login">To Login</a></p>`,
  )
