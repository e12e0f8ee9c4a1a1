/** Present on the pages of a shop with Firebase; its content is the FirebaseFacts. */
export const firebaseMeta = (): HTMLMetaElement | null =>
  document.querySelector('meta[name=firebase]')

/**
 * Signs out at the embedded provider. In a separate file, because every page has a Logout but few
 * need the rest of the provider.
 */
export async function signOutEmbedded(): Promise<void> {
  const { ok } = await fetch('/identity/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    // the logout completes even if the user closes the page
    keepalive: true,
  })
  if (!ok) throw Error('Not signed out')
}
