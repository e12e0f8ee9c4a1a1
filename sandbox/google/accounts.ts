import { createHash } from 'node:crypto'

export type Account = { sub: string; email: string; name: string; emailVerified: boolean }

/** An address has the same id in every process and after every restart, and Google has none like it. */
const subOf = (email: string) =>
  `sandbox-${createHash('sha256').update(email).digest('hex').slice(0, 20)}`

/** The accounts that people made up. A restart forgets them; the same address typed again is the same account. */
export class Accounts {
  #bySub = new Map<string, Account>()

  find(sub: string): Account | undefined {
    return this.#bySub.get(sub)
  }

  /** The eight used last, newest first. */
  recent(): Account[] {
    return [...this.#bySub.values()].slice(-8).reverse()
  }

  /** Puts an account first in the list. @returns its id */
  use({ email, name, emailVerified }: Omit<Account, 'sub'>): string {
    const sub = subOf(email)
    this.#bySub.delete(sub)
    this.#bySub.set(sub, { sub, email, name, emailVerified })
    return sub
  }
}
