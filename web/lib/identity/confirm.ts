let ask: (() => Promise<boolean>) | undefined

/**
 * Registers the dialog that asks for a one-time code.
 * @returns removes it again
 */
export function askForCodesBy(dialog: () => Promise<boolean>): () => void {
  ask = dialog
  return () => {
    if (ask === dialog) ask = undefined
  }
}

/**
 * Asks the user for a one-time code, because a call needs one of the last minutes.
 * @returns whether one was entered: the call can be repeated
 */
export const askForCode = async (): Promise<boolean> => (await ask?.()) ?? false
