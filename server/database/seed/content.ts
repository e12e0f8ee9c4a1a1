import type { z } from 'zod'
import type { NewPart } from '#contracts/parts.ts'

/** One part of the demo shop; `picture` names a file in `pictures/`, `price` is in whole dollars. */
export type DemoPart = Omit<z.input<typeof NewPart>, 'image' | 'availableQuantity'> & {
  kind: string
  onHand: number
  picture: string
  alt: string
}

/** Parts that go into the machine. */
const insideParts: DemoPart[] = [
  {
    name: 'Vitrine ATX',
    kind: 'case',
    description:
      'Mid-tower with one glass side and three 120 mm front fans fitted. Cards up to 360 mm.',
    price: 109,
    minimumOrderQuantity: 1,
    onHand: 9,
    picture: 'vitrine-atx.svg',
    alt: 'Graphite mid-tower case, a lit board and a graphics card behind its glass side',
  },
  {
    name: 'Twinbank DDR5 32 GB',
    kind: 'memory module',
    description:
      'Two 16 GB DDR5-6000 CL36 modules from one batch, with heatspreaders. 1.35 V, 44 mm tall.',
    price: 109,
    minimumOrderQuantity: 1,
    onHand: 48,
    picture: 'twinbank-ddr5-32.svg',
    alt: 'Pair of memory modules with graphite heatspreaders and copper stripes',
  },
  {
    name: 'Chimney 120',
    kind: 'tower cooler',
    description: 'Single tower, four copper pipes, one 120 mm fan. Handles 180 W, 155 mm tall.',
    price: 39,
    minimumOrderQuantity: 1,
    onHand: 37,
    picture: 'chimney-120.svg',
    alt: 'Tower cooler with a fan, silver fins and four copper heat pipes',
  },
  {
    name: 'Slipstream NVMe 2 TB',
    kind: 'storage drive',
    description:
      'PCIe 4.0 stick, 7000 MB/s read, 6200 MB/s write. 80 mm long, rated for 1200 TB written.',
    price: 139,
    minimumOrderQuantity: 1,
    onHand: 44,
    picture: 'slipstream-nvme-2tb.svg',
    alt: 'NVMe stick with two flash chips under a copper strip',
  },
  {
    name: 'Marrow 750',
    kind: 'power supply',
    description:
      '750 W, fully modular, 91 % efficient at half load. Below 300 W the fan stands still.',
    price: 99,
    minimumOrderQuantity: 1,
    onHand: 19,
    picture: 'marrow-750.svg',
    alt: 'Power supply from above, a fan behind a wire grille over two rows of modular sockets',
  },
  {
    name: 'Cinder RX 7600',
    kind: 'graphics card',
    description: 'Two-fan 8 GB card for 1080p. 165 W from one eight-pin plug, 240 mm long.',
    price: 259,
    minimumOrderQuantity: 1,
    onHand: 16,
    picture: 'cinder-rx-7600.svg',
    alt: 'Rounded two-fan graphics card with copper heat pipes between the fans',
  },
  {
    name: 'Fluxgate 5 245',
    kind: 'processor',
    description:
      'Six fast and eight small cores, 125 W. LGA1851, graphics on board, no cooler in the box.',
    price: 279,
    minimumOrderQuantity: 1,
    onHand: 24,
    picture: 'fluxgate-5-245.svg',
    alt: 'Upright green processor with a raised metal lid engraved with field lines',
  },
  {
    name: 'Breadbox ITX',
    kind: 'case',
    description:
      '11-litre case in off-white steel with a copper handle. SFX supplies and cards up to 205 mm.',
    price: 129,
    minimumOrderQuantity: 1,
    onHand: 1,
    picture: 'breadbox-itx.svg',
    alt: 'Small off-white case with vertical slots, a fan behind them and a copper handle',
  },
  {
    name: 'Basalt B650I ITX',
    kind: 'motherboard',
    description: 'AM5 board at 170 × 170 mm. Two DDR5 slots, one cooled M.2 socket, Wi-Fi 6E.',
    price: 219,
    minimumOrderQuantity: 1,
    onHand: 8,
    picture: 'basalt-b650i-itx.svg',
    alt: 'Square graphite Mini-ITX motherboard with copper heatsinks and two memory slots',
  },
  {
    name: 'Granary 8 TB',
    kind: 'storage drive',
    description: '3.5" hard drive, 7200 rpm, CMR. 26 dBA idle, for archives rather than games.',
    price: 169,
    minimumOrderQuantity: 1,
    onHand: 28,
    picture: 'granary-8tb.svg',
    alt: 'Hard drive with its lid off: silver platter, brass arm and copper coil',
  },
  {
    name: 'Chimney 140 Duo',
    kind: 'tower cooler',
    description:
      'Two towers, six copper pipes, two fans. Handles 250 W; check for 165 mm of height.',
    price: 89,
    minimumOrderQuantity: 1,
    onHand: 0,
    picture: 'chimney-140-duo.svg',
    alt: 'Twin-tower cooler from the side, six copper pipes and two slim fans',
  },
  {
    name: 'Updraft 140',
    kind: 'fan',
    description: '140 mm PWM fan, off-white round frame, 300 to 1200 rpm, 21 dBA. Sold from four.',
    price: 17,
    minimumOrderQuantity: 4,
    onHand: 76,
    picture: 'updraft-140.svg',
    alt: 'Round off-white fan with seven wide graphite blades and copper corner pads',
  },
  {
    name: 'Twinbank DDR5 16 GB',
    kind: 'memory module',
    description:
      'Plain 16 GB DDR5-5600 module at 1.1 V. No heatspreader, fits under any cooler. Sold from ten.',
    price: 42,
    minimumOrderQuantity: 10,
    onHand: 120,
    picture: 'twinbank-ddr5-16.svg',
    alt: 'Bare green memory module with eight chips and a white label',
  },
  {
    name: 'Hearth SSD 1 TB',
    kind: 'storage drive',
    description:
      '2.5" SATA drive, 550 MB/s read, 510 MB/s write. 7 mm thin, for laptops and older boards.',
    price: 69,
    minimumOrderQuantity: 1,
    onHand: 53,
    picture: 'hearth-ssd-1tb.svg',
    alt: 'Flat graphite 2.5-inch drive with a copper label and a SATA connector',
  },
  {
    name: 'Marrow 450 SFX',
    kind: 'power supply',
    description: '450 W in 125 × 64 × 100 mm. Fixed sleeved cables, ATX bracket included.',
    price: 84,
    minimumOrderQuantity: 1,
    onHand: 13,
    picture: 'marrow-450-sfx.svg',
    alt: 'Small power supply with a honeycomb vent and a bundle of copper cables',
  },
  {
    name: 'Cinder RX 6400 Short',
    kind: 'graphics card',
    description:
      'One fan, 4 GB, 53 W straight from the slot. For extra screens, not for new games.',
    price: 149,
    minimumOrderQuantity: 1,
    onHand: 21,
    picture: 'cinder-rx-6400-short.svg',
    alt: 'Short green graphics card with one fan on a square heatsink',
  },
]

/** Parts that stand on the desk. */
const deskParts: DemoPart[] = [
  {
    name: 'Pebble Wireless',
    kind: 'mouse',
    description: 'Six buttons, brass wheel, 71 g. 2.4 GHz or Bluetooth, 90 hours on one charge.',
    price: 59,
    minimumOrderQuantity: 1,
    onHand: 40,
    picture: 'pebble-wireless.svg',
    alt: 'Off-white mouse from above with a brass wheel and two side buttons',
  },
  {
    name: 'Paperwhite 34 Wide',
    kind: 'monitor',
    description: '34-inch curved VA, 3440 × 1440 at 144 Hz. Height and tilt adjust, no swivel.',
    price: 429,
    minimumOrderQuantity: 1,
    onHand: 3,
    picture: 'paperwhite-34-wide.svg',
    alt: 'Curved ultrawide monitor showing copper dunes under a crescent moon',
  },
  {
    name: 'Keystone 104',
    kind: 'keyboard',
    description: 'Full size, 104 keys, quiet linear switches. Braided 1.8 m cable, USB-A.',
    price: 89,
    minimumOrderQuantity: 1,
    onHand: 33,
    picture: 'keystone-104.svg',
    alt: 'Full-size graphite keyboard with copper Escape and Enter and a braided cable',
  },
  {
    name: 'Pebble Trackball',
    kind: 'mouse',
    description: 'Thumb trackball, 44 mm ball, right hand only. The ball lifts out for cleaning.',
    price: 69,
    minimumOrderQuantity: 1,
    onHand: 11,
    picture: 'pebble-trackball.svg',
    alt: 'Graphite trackball mouse from above with a large copper ball at the thumb',
  },
  {
    name: 'Keystone Pad',
    kind: 'keyboard',
    description: '17-key number pad with a brass knob and a small display. Coiled 1.2 m cable.',
    price: 49,
    minimumOrderQuantity: 1,
    onHand: 15,
    picture: 'keystone-pad.svg',
    alt: 'Off-white number pad with graphite keys, a brass knob and a coiled copper cable',
  },
]

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

/** One review of the demo shop; `ratings` counts stars. */
type DemoReview = { name: string; review: string; ratings: 1 | 2 | 3 | 4 | 5 }

/** The eight reviews a demo shop starts with. */
export const demoReviews: DemoReview[] = [
  {
    name: 'Amara Okonkwo',
    review:
      'The page said 12 in stock and one of the 12 was mine. Booked the card at lunch, paid in the evening, it arrived on Thursday. Runs at 62 °C under load in a small room.',
    ratings: 5,
  },
  {
    name: 'Jonas Lindqvist',
    review:
      'Two Paperwhites for the office. Same panel colour on both, no dead pixels, stands hold.',
    ratings: 5,
  },
  {
    name: 'Mei-Ling Chen',
    review:
      'They wrote "no cooler in the box" where I could see it, so I ordered one with the processor. I wish every shop did that.',
    ratings: 5,
  },
  {
    name: 'Rafael Monteiro',
    review:
      'Good board and everything on the spec list is there. The M.2 screw is tiny and there is no spare one in the bag, so mind your carpet.',
    ratings: 4,
  },
  {
    name: 'Priya Raghunathan',
    review:
      'Keystone 75 is solid and the knob is better than it needs to be. The space bar rattled a little until I added some lubricant.',
    ratings: 4,
  },
  {
    name: 'Tomasz Zieliński',
    review:
      'Fans are quiet and push enough air. Having to take five when I needed three is not for me, the last two sit in a drawer.',
    ratings: 3,
  },
  {
    name: 'Leilani Kahale',
    review:
      'The trackball came with a scuff on the ball and the replacement took nine days. It works well now, but I had to write twice.',
    ratings: 2,
  },
  { name: 'Youssef Benali', review: 'Ordered, paid, built, works.', ratings: 5 },
]
