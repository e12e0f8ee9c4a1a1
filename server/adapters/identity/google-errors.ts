const accountExists = 'auth/account-exists-with-different-credential'
const invalidEvent = 'auth/invalid-auth-event'

/** Error codes of the library and of OpenID Connect providers, mapped to those of the browser's port. */
const codes: Record<string, string> = {
  account_not_linked: accountExists,
  unable_to_link_account: accountExists,
  account_already_linked_to_different_user: accountExists,
  email_does_not_match: accountExists,
  state_mismatch: invalidEvent,
  state_not_found: invalidEvent,
  state_invalid: invalidEvent,
  state_security_mismatch: invalidEvent,
  invalid_callback_request: invalidEvent,
  no_code: invalidEvent,
  invalid_code: invalidEvent,
  nonce_binding_missing: invalidEvent,
  issuer_mismatch: invalidEvent,
  issuer_missing: invalidEvent,
  unable_to_get_user_info: invalidEvent,
  access_denied: 'auth/popup-closed-by-user',
  invalid_client: 'auth/invalid-api-key',
  unauthorized_client: 'auth/invalid-api-key',
  oauth_provider_not_found: 'auth/network-request-failed',
  unreachable: 'auth/network-request-failed',
  not_configured: 'auth/auth-domain-config-required',
  foreign_page: 'auth/unauthorized-domain',
  user_disabled: 'auth/user-disabled',
  too_many_requests: 'auth/too-many-requests',
}

const known = new Set(Object.values(codes))

/** @param error a code of the library, a provider or ours; null on success */
export function errorCode(error: string | null): string | null {
  if (!error || known.has(error)) return error || null
  return codes[error] ?? 'auth/internal-error'
}
