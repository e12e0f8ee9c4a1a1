import type { DemoPart } from './demo-part.ts'
import { deskParts } from './parts-desk.ts'
import { insideParts } from './parts-inside.ts'

export type { DemoPart } from './demo-part.ts'

// The first two rows of the home grid: six kinds, so that a visitor sees the range at once.
const frontParts: DemoPart[] = [
  {
    name: 'Cinder RX 7800 XT',
    kind: 'graphics card',
    description: 'Triple-fan 16 GB card for 1440p. Quiet under load, two slots, no sag.',
    price: 499,
    minimumOrderQuantity: 1,
    onHand: 12,
    picture: 'cinder-rx-7800-xt.svg',
    alt: 'Long graphite graphics card with three fans, copper hubs and a gold edge connector',
  },
  {
    name: 'Lodestone 7 9700X',
    kind: 'processor',
    description: 'Eight cores at 65 W. AM5, no cooler in the box, so budget for one.',
    price: 329,
    minimumOrderQuantity: 1,
    onHand: 31,
    picture: 'lodestone-7-9700x.svg',
    alt: 'Square green processor with a notched metal lid and rows of small capacitors',
  },
  {
    name: 'Paperwhite 27 QHD',
    kind: 'monitor',
    description: '27-inch 165 Hz IPS with a stand that actually moves.',
    price: 289,
    minimumOrderQuantity: 2,
    onHand: 18,
    picture: 'paperwhite-27-qhd.svg',
    alt: '27-inch monitor on a flat foot, showing a copper mountain under a pale sun',
  },
  {
    name: 'Updraft 120',
    kind: 'fan',
    description:
      '120 mm PWM fan, 400 to 1500 rpm, 23 dBA at full speed. Sold from five, with screws and pads.',
    price: 14,
    minimumOrderQuantity: 5,
    onHand: 140,
    picture: 'updraft-120.svg',
    alt: 'Square graphite case fan with nine curved copper blades',
  },
  {
    name: 'Keystone 75',
    kind: 'keyboard',
    description:
      '81 keys, hot-swap tactile switches and a brass volume knob. USB-C, 2 m cable included.',
    price: 119,
    minimumOrderQuantity: 1,
    onHand: 26,
    picture: 'keystone-75.svg',
    alt: 'Compact keyboard with off-white keys, copper Enter, brass arrows and a brass knob',
  },
  {
    name: 'Basalt B650 ATX',
    kind: 'motherboard',
    description:
      'AM5 board with four DDR5 slots, two M.2 sockets and 2.5 Gbit/s Ethernet. 305 × 244 mm.',
    price: 189,
    minimumOrderQuantity: 1,
    onHand: 22,
    picture: 'basalt-b650-atx.svg',
    alt: 'Green ATX motherboard with four memory slots and graphite heatsinks',
  },
]

/** The 27 parts of the demo shop, in the order in which the home page shows them. */
export const demoParts: DemoPart[] = [...frontParts, ...insideParts, ...deskParts]
