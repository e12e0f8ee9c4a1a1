const prefix = 'draft '

/** The values of a form's fields, by name. */
export type DraftValues = Record<string, string>

/** The unsent input of one form, stored in this tab for the user who typed it. */
export type Draft = {
  read(): DraftValues | null
  keep(values: DraftValues): void
  clear(): void
}

function isDraft(stored: unknown): stored is { owner: string; values: DraftValues } {
  const { owner, values } = (stored ?? {}) as { owner?: unknown; values?: unknown }
  if (typeof owner !== 'string' || typeof values !== 'object' || values === null) return false
  return Object.values(values).every((value) => typeof value === 'string')
}

/**
 * The draft of a form. Browsers without storage keep none; everything else works the same.
 * @param form names the form and its subject
 * @param owner the e-mail of the typing user: no other user who logs in here later sees the draft
 */
export function storedDraft(form: string, owner: string): Draft {
  const key = prefix + form
  return {
    read() {
      try {
        const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
        return isDraft(stored) && stored.owner === owner ? stored.values : null
      } catch {
        return null
      }
    },
    keep(values) {
      try {
        sessionStorage.setItem(key, JSON.stringify({ owner, values }))
      } catch {
        // full or forbidden: the form works without a draft
      }
    },
    clear() {
      try {
        sessionStorage.removeItem(key)
      } catch {
        // there is no draft
      }
    },
  }
}

/**
 * Removes every draft of this tab.
 * @param except the e-mail of the user whose drafts stay
 */
export function clearDrafts(except?: string): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix))
    for (const key of keys) {
      const isTheirs = except !== undefined && storedDraft(key.slice(prefix.length), except).read()
      if (!isTheirs) sessionStorage.removeItem(key)
    }
  } catch {
    // there are no drafts
  }
}
