import { expect, test } from 'vitest'
import { trackingUrl } from './orders.ts'

test.each([
  ['UPS', '1Z999AA10123456784', 'https://www.ups.com/track?tracknum=1Z999AA10123456784'],
  ['FedEx Ground', '1234 5678 9012', 'https://www.fedex.com/fedextrack/?trknbr=123456789012'],
  ['fed ex', '123456789012', 'https://www.fedex.com/fedextrack/?trknbr=123456789012'],
  ['usps', '9400-1000', 'https://tools.usps.com/go/TrackConfirmAction?tLabels=94001000'],
  [
    ' DHL Express ',
    'JD0146',
    'https://www.dhl.com/global-en/home/tracking.html?tracking-id=JD0146',
  ],
])('a parcel of %s with the number %s is followed', (carrier, trackingNumber, address) => {
  expect(trackingUrl({ carrier, trackingNumber })).toBe(address)
})

test.each([
  ['my cousin', 'JD0146'],
  ['Upstairs Couriers', 'JD0146'],
  [null, 'JD0146'],
  ['DHL', null],
  ['DHL', '12'],
  ['DHL', 'call me'.padEnd(60, '!')],
  ['DHL', '"><script>'],
])('nothing is made up for %s with the number %s', (carrier, trackingNumber) => {
  expect(trackingUrl({ carrier, trackingNumber })).toBeNull()
})
