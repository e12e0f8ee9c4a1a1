/** Customers as the shop sees them: over HTTP, with the same calls as a browser. */
import type { Pool } from 'pg'
import type { Booking, Order } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'
import type { Deps } from '#server/wiring.ts'
import { sandboxCookie } from './sandbox-token.ts'

export type Answer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
  body: any
  headers: Headers
}

type Check = (origin: string, method: string, path: string, answer: Answer) => void
let check: Check = () => {}
/**
 * From now on `by` checks every response. It is passed in, because otherwise each story worker
 * would load the whole server.
 */
export function checkAnswers(by: Check): void {
  check = by
}

const isReady = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array

/** One call of the API, with a JSON body if given. The response must match the API document. */
export async function call(
  origin: string,
  method: string,
  path: string,
  options: { token?: string | undefined; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const cookie = sandboxCookie(new URL(origin + path))
  const response = await fetch(`${origin}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...(cookie && { cookie }),
      ...options.headers,
    },
    ...(options.body !== undefined && {
      body: isReady(options.body) ? options.body : JSON.stringify(options.body),
    }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const answer = {
    status: response.status,
    body: isJson && text ? JSON.parse(text) : text,
    headers: response.headers,
  }
  check(origin, method, path, answer)
  return answer
}

export type Person = {
  name: string
  email: string
  token: string
  cookie: string
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
}

/**
 * Calls as one browser makes them: with the token, and with the cookie that shows users their own
 * changes at once.
 */
function callsOf(origin: string, token: string): Person['call'] {
  let jar = {}
  return async (method, path, body, headers = {}) => {
    const answer = await call(origin, method, path, {
      token,
      body,
      headers: { ...jar, ...headers },
    })
    const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('ferrite.catalogue='))
    if (cookie) jar = { cookie: cookie.split(';')[0] }
    return answer
  }
}

export const cookiesOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

/** The ID token of a signed-in session. */
export async function idToken(origin: string, cookie: string): Promise<string> {
  const { body } = await call(origin, 'GET', '/identity/token', { headers: { cookie } })
  return body.token
}

export async function enter(
  origin: string,
  name: string,
  email: string,
  cookie: string,
): Promise<Person> {
  const exchange = await call(origin, 'PUT', `/api/user/${encodeURIComponent(email)}`, {
    body: { email, idToken: await idToken(origin, cookie) },
  })
  if (exchange.status !== 200) throw new Error(`no token: ${JSON.stringify(exchange.body)}`)
  const { token } = exchange.body
  return {
    name,
    email,
    token,
    cookie,
    call: callsOf(origin, token),
  }
}

let people = 0

/** The link that verifies this address, from the newest such mail in the shop's mailbox. */
export async function verificationLink(origin: string, email: string): Promise<string> {
  const mailbox = (await call(origin, 'GET', '/sandbox/mail')).body as string
  const row =
    /href="([^"]+)">\s*<span class="subject">Confirm your email address<[^<]*<[^>]*>([^<]*)/g
  const path = [...mailbox.matchAll(row)].find(([, , recipient]) => recipient === email)?.[1]
  const mail: string = path ? (await call(origin, 'GET', path)).body : ''
  const link = /href="([^"]*verify-email[^"]*)"/.exec(mail)?.[1]
  if (!link) throw new Error(`no verification was mailed to ${email}`)
  return link.replaceAll('&amp;', '&')
}

async function verify(origin: string, email: string, cookie: string): Promise<void> {
  const { pathname, search } = new URL(await verificationLink(origin, email))
  const { status, headers } = await call(origin, 'GET', pathname + search, { headers: { cookie } })
  const end = headers.get('location')
  if (status !== 302 || end?.includes('error')) throw new Error(`not verified: ${status} ${end}`)
}

/**
 * A user who just signed up and, by default, followed the link in the verification mail. The link
 * is read from the shop's mailbox, so a shop that sends its mail elsewhere can only have unverified
 * users.
 */
export async function register(
  origin: string,
  name = 'Ada Customer',
  { verified = true }: { verified?: boolean } = {},
): Promise<Person> {
  people += 1
  const email = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}.${process.pid}.${people}@example.com`
  const signUp = await call(origin, 'POST', '/identity/sign-up/email', {
    body: { name, email, password: 'correct horse' },
    headers: { origin },
  })
  if (signUp.status !== 200) throw new Error(`no account: ${JSON.stringify(signUp.body)}`)
  const cookie = cookiesOf(signUp.headers)
  if (verified) await verify(origin, email, cookie)
  return enter(origin, name, email, cookie)
}

/** Logs in to an account. */
export async function login(origin: string, email: string, password: string): Promise<Person> {
  const signIn = await call(origin, 'POST', '/identity/sign-in/email', {
    body: { email, password },
    headers: { origin },
  })
  if (signIn.status !== 200) throw new Error(`no session: ${JSON.stringify(signIn.body)}`)
  return enter(origin, signIn.body.user.name, email, cookiesOf(signIn.headers))
}

export async function bookingOf(
  person: Person,
  part: Part,
  more: Partial<Booking> = {},
): Promise<string> {
  const { status, body } = await person.call('POST', '/api/order', {
    partId: part._id,
    quantity: part.minimumOrderQuantity,
    phone: '+1 555 0100',
    ...more,
  })
  if (status !== 200) throw new Error(`not booked: ${JSON.stringify(body)}`)
  return body.insertedId
}

export async function orderOf(person: Person, id: string): Promise<Order> {
  return (await person.call('GET', `/api/order/${id}`)).body
}

/** Opens the payment of an order's checkout. @returns the intent's id and client secret */
export async function intentFor(person: Person, orderId: string) {
  const { checkoutTotal: totalPrice } = await orderOf(person, orderId)
  const { status, body } = await person.call('POST', '/api/create-payment-intent', {
    totalPrice,
    orderId,
  })
  if (status !== 200) throw new Error(`no intent: ${JSON.stringify(body)}`)
  const clientSecret: string = body.clientSecret
  return { clientSecret, intentId: clientSecret.split('_secret_')[0] as string }
}

/** Configures the card provider's sandbox: `webhooks`, `fail-next`, … */
export const controlSandbox = (origin: string, path: string, body: object): Promise<Answer> =>
  call(origin, 'POST', `/sandbox/stripe/_sandbox/${path}`, { body })

/** Where the cards of a shop in this process are confirmed. */
export const cardsOf = ({ origin, deps }: { origin: string; deps: Pick<Deps, 'payments'> }) => ({
  origin,
  publishableKey: deps.payments.browser.publishableKey,
})

/** Confirms the intent at the provider with the publishable key, as a browser does with a card. */
export function confirmCard(
  shop: { origin: string; publishableKey: string },
  payment: { intentId: string; clientSecret: string },
  paymentMethod = 'pm_card_visa',
): Promise<Answer> {
  return call(
    shop.origin,
    'POST',
    `/sandbox/stripe/v1/payment_intents/${payment.intentId}/confirm`,
    {
      token: shop.publishableKey,
      body: new URLSearchParams({
        client_secret: payment.clientSecret,
        payment_method: paymentMethod,
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  )
}

/**
 * Many customers at once, by default verified. Their rows and tokens are created directly, because
 * two hundred password hashes prove nothing about booking.
 */
export async function createUsers(
  shop: { origin: string; deps: Deps; pool: Pool },
  size: number,
  { verified = true }: { verified?: boolean } = {},
): Promise<Person[]> {
  people += 1
  const { rows } = await shop.pool.query<{ _id: string; email: string; name: string }>(
    `insert into users (issuer, subject, email, name, email_verified)
     select 'crowd', $1 || n, 'crowd.' || $1 || n || '@example.com', 'Customer ' || n, $3 from generate_series(1, $2) n
     returning _id, email, name`,
    [`${process.pid}.${people}.`, size, verified],
  )
  return Promise.all(
    rows.map(async ({ _id, email, name }) => {
      const token = await shop.deps.tokens.issue(
        { userId: _id, sessionId: _id, version: 0 },
        { name, email },
      )
      return {
        name,
        email,
        token,
        cookie: '',
        call: callsOf(shop.origin, token),
      }
    }),
  )
}
