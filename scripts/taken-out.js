// npm run test:security -- --taken-out, and test:faults: takes one defence after another out of a copy, and sees its test fail.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inRoot, node, step } from './run.js'

/** What is copied: what the tests read, and nothing that they write. */
const copied = [
  ...['contracts', 'server', 'sandbox', 'web', 'drizzle', 'tests', 'build', 'docs'],
  ...['package.json', 'vitest.config.ts', 'tsconfig.base.json'],
]

/** Each defence: where it stands, what stands there without it, and the tests that must fail then. */
const ofSecurity = [
  {
    what: 'an access token is for this shop alone (its audience)',
    file: 'server/http/access-token.ts',
    from: '        audience,\n        clockTolerance',
    to: '        clockTolerance',
    test: 'tests/security/access.test.ts',
    named: 'allOrders.*tokens that are none',
  },
  {
    what: 'no other token passes for an access token (its type)',
    file: 'server/http/access-token.ts',
    from: "        typ: 'at+jwt',\n        issuer,",
    to: '        issuer,',
    test: 'tests/security/access.test.ts',
    named: 'allOrders.*tokens that are none',
  },
  {
    what: 'the owner’s calls ask for the role at each request',
    file: 'server/http/guards.ts',
    from: '    if (!isAdmin(c.var.caller)) throw',
    to: '    if (!c.var.caller) throw',
    test: 'tests/security/access.test.ts',
    named: 'allOrders.*(somebody else|admins alone)',
  },
  {
    what: 'who is disabled is nobody',
    file: 'server/features/users/store.ts',
    from: '        isNull(users.disabledAt),\n',
    to: '',
    test: 'tests/security/access.test.ts',
    named: 'allOrders.*who was an admin',
  },
  {
    what: 'the provider’s cookie counts on the shop’s own pages alone',
    file: 'server/adapters/identity/embedded-options.ts',
    from: 'disableOriginCheck: false',
    to: 'disableOriginCheck: true',
    test: 'tests/security/forgery.test.ts',
    named: 'another site',
  },
  {
    what: 'a delivery is believed by its signature',
    file: 'server/adapters/payments/stripe.ts',
    from: "await stripe.webhooks\n        .constructEventAsync(rawBody, signature ?? '', settings.webhookSecret)",
    to: 'await Promise.resolve(JSON.parse(rawBody) as Stripe.Event)',
    test: 'tests/security/forgery.test.ts',
    named: 'deliveries',
  },
  {
    what: 'a payment pays the order that it was opened for',
    file: 'server/features/payments/claim-payment.ts',
    from: '  await checkNamed(deps, own._id, claim.transactionId)\n',
    to: '',
    test: 'tests/security/forgery.test.ts',
    named: 'pays nothing, whoever confirmed',
  },
  {
    what: 'guesses at one account are counted wherever they come from',
    file: 'server/http/sign-in-limits.ts',
    from: '    await paces.count(wrongPasswords, who)\n',
    to: '',
    test: 'tests/security/paces.test.ts',
    named: 'guessing at one account',
  },
  {
    what: 'texts that the database can not keep are refused at the door',
    file: 'server/http/guards.ts',
    from: '    if (odd) throw',
    to: '    if (odd && odd.length > 9) throw',
    test: 'tests/security/fuzz.test.ts',
    named: 'withstands each odd text',
  },
  {
    what: 'a fault says nothing but its number',
    file: 'server/http/app.ts',
    from: "    message: 'Something went wrong on our side. Nothing to do with you; try again.',",
    to: '    message: String(error.stack),',
    test: 'tests/security/forgery.test.ts',
    named: 'a fault says',
  },
  {
    what: 'the log names the route, never the address',
    file: 'server/http/app.ts',
    from: 'route: routePath(c, -1)',
    to: "route: '/api/order/:id '.concat(c.req.url)",
    test: 'tests/security/running-shop.test.ts',
    named: 'the logs of a busy day',
  },
  {
    what: 'a script runs only with the mark of its page',
    file: 'server/http/security-headers.ts',
    from: 'attributes.includes(markOf(mark)) || body === known',
    to: 'attributes !== mark || body === known',
    test: 'tests/security/headers.test.ts',
    named: 'a script that somebody got into it',
  },
  {
    what: 'who does not read the answer is cut off',
    file: 'server/http/server.ts',
    from: 'Object.assign(server, { timeout, ',
    to: 'Object.assign(server, { ',
    test: 'tests/security/wire.test.ts',
    named: 'of a reader too',
  },
  {
    what: 'patterns take no longer than their text',
    file: 'contracts/orders.ts',
    from: '/^[0-9+()\\-. ]{5,32}(',
    to: '/^([0-9+()\\-. ]+)*(',
    test: 'tests/security/validators.test.ts',
    named: 'Phone',
  },
]

/** How many tests failed and passed by what Vitest printed. */
const counted = (output, word) =>
  Number(new RegExp(`Tests .*?(\\d+) ${word}`).exec(output)?.[1] ?? 0)

async function withoutOne(copy, { file, from, to, test, named }) {
  const place = path.join(copy, file)
  const whole = readFileSync(place, 'utf8')
  const found = whole.split(from).length - 1
  if (found !== 1) return `stands ${found} times in ${file}`
  writeFileSync(
    place,
    whole.replace(from, () => to),
  )
  const vitest = [inRoot('node_modules', 'vitest', 'vitest.mjs'), 'run', test, '-t', named]
  const options = ['--root', copy, '--reporter=dot', '--testTimeout=30000']
  const env = { ...process.env, NO_COLOR: '1', FERRITE_TALLY: '' }
  const { code, output } = await step(node, [...vitest, ...options], { env })
  writeFileSync(place, whole)
  if (code !== 0 && counted(output, 'failed') > 0) return null
  return code === 0 ? 'nothing failed' : `the test could not run:\n${output.slice(-2000)}`
}

/**
 * @param {string} word only defences with it in their name; '' for all
 * @param all the defences, those against attacks unless told
 * @returns {Promise<number>} the exit code: 0 when each defence is missed by its test
 */
export async function takeOut(word, all = ofSecurity) {
  const meant = all.filter(({ what }) => what.includes(word))
  const copy = mkdtempSync(path.join(tmpdir(), 'ferrite-taken-out-'))
  let missed = 0
  try {
    for (const name of copied) cpSync(inRoot(name), path.join(copy, name), { recursive: true })
    symlinkSync(inRoot('node_modules'), path.join(copy, 'node_modules'))
    for (const defence of meant) {
      const problem = await withoutOne(copy, defence)
      if (!problem) missed += 1
      console.log(
        `${problem ? 'NOT MISSED' : 'missed    '}  ${defence.what}: ${defence.test}${problem ? ` (${problem})` : ''}`,
      )
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  console.log(`defences taken out: ${meant.length}, missed by their tests: ${missed}`)
  return missed === meant.length ? 0 : 1
}
