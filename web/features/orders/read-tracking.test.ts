import { expect, test } from 'vitest'
import { readTracking } from './read-tracking.ts'

test.each([
  ['F-1042 1Z999AA10123456784', [['F-1042', '1Z999AA10123456784']]],
  [
    'f-7\tJD014600003SE\nF-8\tJD014600004SE',
    [
      ['F-7', 'JD014600003SE'],
      ['F-8', 'JD014600004SE'],
    ],
  ],
  ['1Z999AA10123456784;F-1042;Ann Ada', [['F-1042', '1Z999AA10123456784']]],
  [
    'Date,Tracking Number,Reference,Name\n2026-11-27,"00340434161094",F-1042,Ann Ada',
    [['F-1042', '00340434161094']],
  ],
  ['F-1042, 0034 0434 1610 94', [['F-1042', '0034 0434 1610 94']]],
  ['nothing of this\n\n', []],
])('%j', (text, expected) => {
  const { read } = readTracking(text)
  expect(read.map(({ number, trackingNumber }) => [number, trackingNumber])).toEqual(expected)
})

test('a line without a tracking number is said', () => {
  expect(readTracking('F-1042\nF-1043 Ann Ada')).toEqual({
    read: [],
    unread: ['F-1042', 'F-1043 Ann Ada'],
  })
})

test.each([
  // a company that looks like an order moves no number to that order
  [
    'Company,Tracking Number,Reference\nF-1002,1Z999AA10123456784,F-1017',
    [['F-1017', '1Z999AA10123456784']],
    [],
  ],
  ['F-1002,F-1017,1Z999AA10123456784', [], ['F-1002,F-1017,1Z999AA10123456784']],
  // a name with a comma is one cell
  [
    'Reference,Name,Weight,Tracking number\nF-1042,"Smith, John",2 kg,1Z999AA10123456784',
    [['F-1042', '1Z999AA10123456784']],
    [],
  ],
  ['Reference,Tracking number\nF-1042,2 kg', [], ['F-1042,2 kg']],
  // two numbers for one order: neither is sure
  [
    'F-7 1Z999AA10123456784\nF-7 1Z999AA10123456785',
    [],
    ['F-7 1Z999AA10123456785', 'F-7 1Z999AA10123456784'],
  ],
])('%j', (text, expected, left) => {
  const { read, unread } = readTracking(text)
  expect(read.map(({ number, trackingNumber }) => [number, trackingNumber])).toEqual(expected)
  expect(unread).toEqual(left)
})
