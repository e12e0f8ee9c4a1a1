/** How long a hold lasts, and how many a customer may have. */

export type HoldRules = {
  /** How long a hold lasts from its start or renewal. */
  holdMinutes: number
  /** The longest time that a hold can last from its start, renewals included. */
  holdMaxMinutes: number
  /** Orders that one customer may hold at a time; checkouts, while what was paid covers them. */
  openHolds: number
  /** The same for a customer without a verified address, or with too many abandoned holds. */
  openHoldsUnverified: number
}

/**
 * How long an order is held: `minutes` from each renewal, but at most `maxMinutes` from the start.
 * Both are the same for every total today; a rule that depends on the total would change only this
 * function.
 */
export const holdTimesFor = (_totalPrice: number, rules: HoldRules) => ({
  minutes: rules.holdMinutes,
  maxMinutes: rules.holdMaxMinutes,
})

/** How long other customers have priority after the limit of a hold, whatever its total. */
export const pauseSeconds = (rules: HoldRules): number => rules.holdMaxMinutes * 60
