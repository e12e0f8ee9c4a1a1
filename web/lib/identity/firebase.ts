import { FirebaseError, initializeApp } from '@firebase/app'
import {
  type Auth,
  applyActionCode,
  browserPopupRedirectResolver,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  type PopupRedirectResolver,
  reauthenticateWithCredential,
  reload,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  type User,
  updatePassword,
  updateProfile,
  verifyBeforeUpdateEmail,
  verifyPasswordResetCode,
} from '@firebase/auth'
import type { FirebaseFacts } from '#contracts/shop.ts'
import { readClaims, storedToken } from '#web/lib/session/access-token.ts'
import { identityCode } from './messages.ts'
import { onceClosed } from './popup.ts'
import { type Identity, type IdentityCode, IdentityError } from './port.ts'

/** The SDK's codes that have a different name in the port. */
const codes: Record<string, IdentityCode> = {
  'auth/user-not-found': 'auth/invalid-credential',
  'auth/expired-action-code': 'auth/invalid-action-code',
  'auth/invalid-user-token': 'auth/user-token-expired',
  'auth/requires-recent-login': 'auth/user-token-expired',
  'auth/timeout': 'auth/network-request-failed',
  'auth/user-cancelled': 'auth/popup-closed-by-user',
  'auth/unauthorized-continue-uri': 'auth/unauthorized-domain',
  'auth/admin-restricted-operation': 'auth/operation-not-allowed',
  'auth/api-key-not-valid.-please-pass-a-valid-api-key.': 'auth/invalid-api-key',
}

function refusalOf(error: unknown): IdentityError {
  if (error instanceof IdentityError) return error
  const code = error instanceof FirebaseError ? error.code : ''
  return new IdentityError(codes[code] ?? identityCode(code))
}

/** Converts an error about the password of a signed-in user. */
function passwordRefusalOf(error: unknown): IdentityError {
  const refusal = refusalOf(error)
  return refusal.code === 'auth/invalid-credential'
    ? new IdentityError('auth/wrong-password')
    : refusal
}

type Opener = {
  _openPopup(auth: Auth, provider: object, ...more: unknown[]): Promise<{ window: Window | null }>
}
const opened = new WeakMap<object, (popup: Window) => void>()

/**
 * The SDK's popup opener, which passes each window to its caller: the SDK itself reacts 8000 ms
 * after a window closes, not 2000.
 */
class ShopOpener extends (browserPopupRedirectResolver as unknown as new () => Opener) {
  override async _openPopup(auth: Auth, provider: object, ...more: unknown[]) {
    const popup = await super._openPopup(auth, provider, ...more)
    if (popup.window) opened.get(provider)?.(popup.window)
    return popup
  }
}

function openAuth({ emulator, ...project }: FirebaseFacts): Auth {
  const auth = initializeAuth(initializeApp(project), {
    // not localStorage, where any script of the page would find it at once
    persistence: indexedDBLocalPersistence,
    popupRedirectResolver: ShopOpener as unknown as PopupRedirectResolver,
  })
  auth.useDeviceLanguage()
  if (emulator) connectAuthEmulator(auth, emulator, { disableWarnings: true })
  return auth
}

/**
 * Google in a popup. The SDK cancels an older popup, and applies its own timeouts for its frame and
 * scripts.
 */
async function signInByPopup(auth: Auth): Promise<void> {
  const over = new AbortController()
  let gaveUp = false
  const google = new GoogleAuthProvider().setCustomParameters({ prompt: 'select_account' })
  const closed = new Promise<never>((_, reject) => {
    opened.set(google, (popup) => {
      // cancelled before the window existed
      if (over.signal.aborted) return popup.close()
      onceClosed(popup, over.signal, () => {
        gaveUp = true
        reject(new IdentityError('auth/popup-closed-by-user'))
      })
    })
  })
  const signingIn = signInWithPopup(auth, google)
  // a later success would leave a session that no screen shows
  signingIn.then(
    () => (gaveUp ? signOut(auth) : undefined),
    () => {},
  )
  await Promise.race([signingIn, closed]).finally(() => over.abort())
}

/** Ends access tokens, because Firebase does not notify the shop when a session ends. */
async function endAtShop(path: string, accessToken: string | null | undefined): Promise<void> {
  if (!accessToken) return
  const headers = { authorization: `Bearer ${accessToken}` }
  await fetch(`/api/sessions${path}`, { method: 'DELETE', headers, keepalive: true })
}

/**
 * Firebase Auth through its own SDK, in a script that only a shop with Firebase loads. Firebase
 * mails the links; they open its own page, which leads back to the shop.
 */
export function firebaseIdentity(facts: FirebaseFacts): Identity {
  try {
    return refusingWith(operationsOf(openAuth(facts)), refusalOf)
  } catch (error) {
    throw refusalOf(error)
  }
}

function operationsOf(auth: Auth): Identity {
  const backTo = (path: string) => ({ url: location.origin + path })
  const user = async (): Promise<User> => {
    await auth.authStateReady()
    if (!auth.currentUser) throw new IdentityError('auth/user-token-expired')
    return auth.currentUser
  }
  const prove = async (password: string): Promise<User> => {
    const proving = await user()
    const credential = EmailAuthProvider.credential(proving.email ?? '', password)
    await reauthenticateWithCredential(proving, credential).catch((error) =>
      Promise.reject(passwordRefusalOf(error)),
    )
    return proving
  }
  return {
    async signIn(email, password) {
      await signInWithEmailAndPassword(auth, email, password).catch((error) => {
        // projects without email enumeration protection report which of the two is wrong
        const { code } = refusalOf(error)
        throw code === 'auth/wrong-password' ? new IdentityError('auth/invalid-credential') : error
      })
    },
    signInByPopup: () => signInByPopup(auth),
    async createAccount(name, email, password) {
      const { user: newUser } = await createUserWithEmailAndPassword(auth, email, password)
      await updateProfile(newUser, { displayName: name })
      await sendEmailVerification(newUser, backTo('/verified'))
    },
    async isVerified() {
      const asking = await user()
      await reload(asking)
      return asking.emailVerified
    },
    async hasPassword() {
      const { providerData } = await user()
      return providerData.some(({ providerId }) => providerId === 'password')
    },
    verifyAddress: (token) => applyActionCode(auth, token),
    async sendVerification() {
      await sendEmailVerification(await user(), backTo('/verified'))
    },
    async setDisplayName(name) {
      await updateProfile(await user(), { displayName: name })
    },
    async changeEmail(newEmail, password) {
      await verifyBeforeUpdateEmail(await prove(password), newEmail, backTo('/verified'))
    },
    async changePassword(current, next) {
      await updatePassword(await prove(current), next)
      // Firebase has ended all earlier sessions
      await prove(next)
      await endAtShop('', storedToken())
    },
    async sendReset(email) {
      await sendPasswordResetEmail(auth, email, backTo('/login')).catch((error) => {
        // a client must not learn whether the address is known
        if (!(error instanceof FirebaseError) || error.code !== 'auth/user-not-found') throw error
      })
    },
    async resetPassword(token, newPassword) {
      const email = await verifyPasswordResetCode(auth, token)
      await confirmPasswordReset(auth, token, newPassword)
      return email
    },
    async signOut(accessToken) {
      const sid = readClaims(accessToken ?? '')?.sid ?? ''
      await Promise.all([signOut(auth), endAtShop(`/${encodeURIComponent(sid)}`, accessToken)])
    },
    async idToken() {
      // a new token has Firebase's current state: a verified address, another name, the end of the
      // session
      const asking = await user()
      return asking.getIdToken(true)
    },
  }
}

/** The same operations, with rejections converted to the port's errors. */
function refusingWith(identity: Identity, refusal: (error: unknown) => IdentityError): Identity {
  const wrapped = Object.entries(identity).map(([name, operation]) => [
    name,
    (...args: unknown[]) =>
      (operation as (...args: unknown[]) => Promise<unknown>)(...args).catch((error) =>
        Promise.reject(refusal(error)),
      ),
  ])
  return Object.fromEntries(wrapped) as Identity
}
