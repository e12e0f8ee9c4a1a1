/** Present on the pages of a shop with Firebase; its content is their FirebaseFacts. */
export const firebaseMeta = (): HTMLMetaElement | null =>
  document.querySelector('meta[name=firebase]')

/** The embedded provider's sign-out, in a file of its own: every page has a Logout, few need the rest of the provider. */
export async function signOutEmbedded(): Promise<void> {
  const { ok } = await fetch('/identity/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    // a user who logs out and closes the page is logged out
    keepalive: true,
  })
  if (!ok) throw Error('Not signed out')
}
