import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAmount } from './money.ts'
import { MethodFields, readSteps, stepsText } from './shipping.ts'
import { cheapestOffer, shippingPrice, weightOf } from './shipping-rules.ts'

const amount = fc.integer({ min: 0, max: 99_999_900 }).map((cents) => cents / 100)
const steps = fc
  .uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 10 })
  .chain((weights) =>
    fc.tuple(
      ...weights.sort((a, b) => a - b).map((upToG) => amount.map((price) => ({ upToG, price }))),
    ),
  )
const method = fc.record({ price: amount, freeFrom: fc.option(amount), steps })
const weight = fc.integer({ min: 0, max: 1_100_000 })
/** A method, and a weight that is often at one of its steps or a gram beside it. */
const weighed = method.chain((of) => {
  const near = of.steps.flatMap(({ upToG }) => [upToG - 1, upToG, upToG + 1])
  return fc.tuple(fc.constant(of), fc.oneof(weight, fc.constantFrom(0, ...near)))
})

test('a method costs nothing from its sum, else the cheapest step that holds the weight, else its price', () => {
  fc.assert(
    fc.property(weighed, amount, ([of, weightG], goods) => {
      const cost = shippingPrice(of, goods, weightG)
      const holding = of.steps.filter(({ upToG }) => weightG <= upToG).map(({ price }) => price)
      if (of.freeFrom !== null && goods >= of.freeFrom) expect(cost).toBe(0)
      else if (holding.length === 0) expect(cost).toBe(of.price)
      else {
        expect(holding).toContain(cost)
        expect(holding.every((price) => cost <= price)).toBe(true)
      }
      expect(isAmount(cost)).toBe(true)
    }),
  )
})

test('with steps, a heavier parcel never costs less, unless it is heavier than all of them', () => {
  fc.assert(
    fc.property(method, weight, weight, (of, one, other) => {
      const [light, heavy] = [Math.min(one, other), Math.max(one, other)]
      const paying = { ...of, freeFrom: null }
      if (heavy > (of.steps.at(-1)?.upToG ?? 0)) return
      expect(shippingPrice(paying, 1, light)).toBeLessThanOrEqual(shippingPrice(paying, 1, heavy))
    }),
  )
})

test('steps are read as they are written', () => {
  fc.assert(
    fc.property(steps, (all) => {
      expect(readSteps(stepsText(all))).toEqual(all)
    }),
  )
  expect(readSteps(' 500 3,5\n\n1000G 4.90 \n')).toEqual([
    { upToG: 500, price: 3.5 },
    { upToG: 1000, price: 4.9 },
  ])
})

test.each(['1000', '1 kg 5', 'g 5', '1000 g', '1000 g five', '1000 g 5 6', '-1 5', '1.5 5'])(
  '“%s” is refused, naming the field',
  (typed) => {
    const fields = {
      ...{ name: 'Parcel', type: 'ship', price: 9, freeFrom: null, regions: ['US'] },
      ...{ daysFrom: 1, daysTo: 2, steps: readSteps(typed) },
    }
    const { error } = MethodFields.safeParse(fields)
    expect(error?.issues[0]?.path[0]).toBe('steps')
    expect(error?.issues[0]?.message).toMatch(/^Prices by weight/)
  },
)

test('units weigh what they weigh, and unknown ones as they are told', () => {
  const lines = [
    { weightG: 200, quantity: 3 },
    { weightG: 0, quantity: 2 },
  ]
  expect(weightOf(lines, 1000)).toBe(2600)
  expect(weightOf([], 1000)).toBe(0)
})

test('the cheapest delivery depends on the weight', () => {
  const offers = [
    { price: 20, freeFrom: null, steps: [{ upToG: 1000, price: 3 }], by: '2026-12-02' },
    { price: 8, freeFrom: null, steps: [], by: '2026-12-01' },
  ]
  expect(cheapestOffer(offers, 50, 1000)).toEqual({ cost: 3, by: '2026-12-02' })
  expect(cheapestOffer(offers, 50, 1001)).toEqual({ cost: 8, by: '2026-12-01' })
})
