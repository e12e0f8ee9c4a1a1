/** Each defence against a fault: where it stands, what stands there without it, and the tests that must fail then. */
const steps = 'tests/faults/steps.test.ts'

export const defences = [
  {
    what: 'a booking repeated with its key is the same order',
    file: 'server/features/orders/book-part.ts',
    from: 'idempotencyKey: key,',
    to: 'idempotencyKey: key && String(Math.random()),',
    test: steps,
    named: '^booking, after all',
  },
  {
    what: 'a payment opened again is the same at the provider',
    file: 'server/features/payments/start-payment.ts',
    from: 'amount}`,\n  })',
    to: 'Math.random()}`,\n  })',
    test: steps,
    named: '^paying',
  },
  {
    what: 'a mail is written down as sent after it was',
    file: 'server/mail/send.ts',
    from: '    await mailer.send({ id: _id, ...mail })\n    await markSent(db, _id)',
    to: '    await markSent(db, _id)\n    await mailer.send({ id: _id, ...mail })',
    test: steps,
    named: '^mailing, when a mail is sent',
  },
  {
    what: 'a payment that nobody heard of is asked about',
    file: 'server/jobs.ts',
    from: 'sweepPayments(deps, sweepSeconds * 2)',
    to: 'Promise.resolve()',
    // no restart here: at each start the comparison with the provider would hear of it too
    test: 'tests/faults/provider.test.ts',
    named: 'the provider behind',
  },
  {
    what: 'a mail is taken for a while, not for good',
    file: 'server/database/mail-outbox.ts',
    from: 'attempts = attempts + 1, last_error = null,',
    to: 'attempts = attempts + 1, last_error = null, sent_at = now(),',
    test: steps,
    named: '^mailing, when a mail is taken',
  },
  {
    what: 'a connection that breaks is not the end of the process',
    file: 'server/database/client.ts',
    from: "  pool.on('error', onIdleError)\n  surviveBreaks(pool)\n",
    to: '',
    test: 'tests/faults/postgres-restart.test.ts',
    named: 'owner.* SIGINT',
  },
  {
    what: 'migrations are one transaction',
    file: 'server/database/migrate.ts',
    from: '    await applyMigrations(drizzle(client),',
    to: '    const db = drizzle(client)\n    Object.assign((db as any).session, { transaction: (work: any) => work(db) })\n    await applyMigrations(db,',
    test: 'tests/faults/migration.test.ts',
    named: 'killed between two',
  },
  {
    what: 'nothing is written on a full disk',
    file: 'server/http/app.ts',
    from: 'if (disk.isLow() && ',
    to: 'if (false && ',
    test: 'tests/faults/disk-full.test.ts',
    named: 'nearly full',
  },
  {
    what: 'a stop waits for no query that waits for a lock',
    file: 'server/start.ts',
    from: 'const queryGraceMs = 500',
    to: 'const queryGraceMs = 60_000',
    test: 'tests/faults/stop.test.ts',
    named: 'what can not be finished',
  },
]
