import { expect, test } from 'vitest'
import { scaleOf } from './day-charts.tsx'

test.each([
  [[], [0, 1, 2]],
  [
    [0, 1],
    [0, 1, 2],
  ],
  [
    [3, 4],
    [0, 2, 4],
  ],
  [[828.5], [0, 500, 1000]],
  [
    [86, 12],
    [0, 50, 100],
  ],
  [[175_874], [0, 100_000, 200_000]],
  [[400_000], [0, 200_000, 400_000]],
  [
    [300, -120],
    [-200, 0, 200, 400],
  ],
  [[-900], [-1000, -500, 0, 500, 1000]],
])('the axis of %j is marked at %j', (values, ticks) => {
  expect(scaleOf(values)).toEqual(ticks)
})
