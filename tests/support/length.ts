/** Whether tests run briefly or in full. */

/**
 * `npm test` proves each thing briefly; `npm run test:full` sets TEST_FULL and runs many more
 * cases.
 */
export const atLength = process.env.TEST_FULL === 'on'

/**
 * For a test or story that only `npm run test:full` runs: another path, point or repetition of
 * something that a neighbouring test proves in the gate.
 */
export const fullOnly = <T extends { skip: unknown }>(test: T): T =>
  atLength ? test : (test.skip as T)

/** The random seed: fixed in `npm test`, new in each `npm run test:full`, which prints it. */
export const seed = Number(process.env.TEST_SEED ?? 20_260_131)
