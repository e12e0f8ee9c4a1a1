import { expect, test } from 'vitest'
import { OrderList, searchLimits } from '#contracts/lists.ts'
import { filterOf } from './use-list-address.ts'

const addressOf = (query: string) => {
  const params = new URLSearchParams(query)
  return { read: (name: string) => params.get(name) ?? '' }
}
const filterFrom = (query: string) => filterOf(OrderList, addressOf(query))

test('an address is what the list is asked for', () => {
  const filter = {
    q: 'halo 27',
    status: 'unpaid',
    from: '2026-01-01',
    to: '2026-01-01',
    sort: 'total',
  }
  expect(filterFrom(new URLSearchParams(filter).toString())).toEqual(filter)
})

test('what the contract refuses is left out, the rest stays', () => {
  expect(filterFrom('q=halo&status=gone&sort=colour&from=yesterday&after=none')).toEqual({
    q: 'halo',
    sort: 'newest',
  })
  expect(filterFrom('q=halo&from=2026-01-02&to=2026-01-01')).toEqual({
    q: 'halo',
    from: '2026-01-02',
    sort: 'newest',
  })
})

test('of a long search as much is asked as a list can be searched for', () => {
  expect(filterFrom('q=++a++b+c+d+e+f+g+h+i+j').q).toBe('a b c d e f g h')
  expect(filterFrom(`q=${'x'.repeat(150)}`).q).toHaveLength(searchLimits.characters)
})
