import { expect, test } from 'vitest'
import { addressFile } from './address-file.ts'

test.each([
  ['＝1+1', "'＝1+1"],
  ['Ann;=HYPERLINK("x")', '"Ann;\'=HYPERLINK(""x"")"'],
  ['=cmd', "'=cmd"],
  ['Ann Ada', 'Ann Ada'],
])('the name %s computes nothing in a spreadsheet', (name, cell) => {
  const shipTo = {
    ...{ name, company: '', line1: 'Ring 1', line2: '', city: 'Wien', region: '' },
    ...{ postcode: '1010', country: 'AT' },
  }
  const parcel = { number: 'F-1', shipTo, email: 'a@b.c', phone: '+43 1', method: 'Parcel' }
  const [, line = ''] = addressFile([parcel as never]).split('\r\n')
  expect(line).toBe(`F-1,${cell},,Ring 1,,1010,Wien,,AT,a@b.c,0043 1,Parcel`)
})
