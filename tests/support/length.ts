/** How long the tests take that can be short or long. */

/** `npm test` proves each thing briefly; `npm run test:full` sets TEST_FULL and tries it many more times. */
export const atLength = process.env.TEST_FULL === 'on'

/**
 * For a test or story that only `npm run test:full` runs: another way, point or repetition of what one beside it, or a test by
 * calls, proves in the gate.
 */
export const fullOnly = <T extends { skip: unknown }>(test: T): T =>
  atLength ? test : (test.skip as T)

/** What chance decides is the same in each `npm test`, and different in each `npm run test:full`, which prints it. */
export const seed = Number(process.env.TEST_SEED ?? 20_260_131)
