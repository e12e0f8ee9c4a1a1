/**
 * Parts for measurements: any number, the same in every run, with realistic names, part numbers and
 * specifications.
 */
import type { PoolClient } from 'pg'
import { noPicture } from '#contracts/drawings.ts'
import type { Specs } from '#contracts/kinds.ts'

export type MadePart = {
  name: string
  kind: string
  brand: string
  mpn: string
  specs: Specs
  price: number
}

/** Random-looking numbers that are the same in every run (mulberry32). */
export function chances(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, pick: <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T }
}

export type Chances = ReturnType<typeof chances>
type Described = Pick<MadePart, 'name' | 'brand' | 'specs' | 'price'>

const colours = ['Black', 'White'] as const
const cardMakers = ['Asus', 'MSI', 'Gigabyte', 'Zotac', 'Palit', 'PNY', 'Sapphire', 'PowerColor']
const cardSeries = ['Dual', 'Gaming X', 'Eagle OC', 'Windforce', 'Ventus 3X', 'Pulse', 'Twin Edge']
const chips: [chip: string, memory: number, watts: number, price: number][] = [
  ['GeForce RTX 4060', 8, 115, 300],
  ['GeForce RTX 4060 Ti', 16, 165, 450],
  ['GeForce RTX 4070', 12, 200, 550],
  ['GeForce RTX 4070 Super', 12, 220, 610],
  ['GeForce RTX 4070 Ti Super', 16, 285, 800],
  ['GeForce RTX 4080 Super', 16, 320, 1000],
  ['GeForce RTX 4090', 24, 450, 1700],
  ['GeForce RTX 5070', 12, 250, 600],
  ['GeForce RTX 5080', 16, 360, 1100],
  ['GeForce GTX 1650', 4, 75, 150],
  ['Radeon RX 6600', 8, 132, 210],
  ['Radeon RX 7600', 8, 165, 260],
  ['Radeon RX 7700 XT', 12, 245, 420],
  ['Radeon RX 7800 XT', 16, 263, 500],
  ['Radeon RX 7900 XTX', 24, 355, 950],
]
const processors: [name: string, brand: string, socket: string, cores: number, tdp: number][] = [
  ['Ryzen 5 5600', 'AMD', 'AM4', 6, 65],
  ['Ryzen 5 5600X', 'AMD', 'AM4', 6, 65],
  ['Ryzen 7 5800X', 'AMD', 'AM4', 8, 105],
  ['Ryzen 7 5800X3D', 'AMD', 'AM4', 8, 105],
  ['Ryzen 5 7600', 'AMD', 'AM5', 6, 65],
  ['Ryzen 7 7700X', 'AMD', 'AM5', 8, 105],
  ['Ryzen 7 7800X3D', 'AMD', 'AM5', 8, 120],
  ['Ryzen 9 7950X', 'AMD', 'AM5', 16, 170],
  ['Ryzen 7 9700X', 'AMD', 'AM5', 8, 65],
  ['Ryzen 9 9950X', 'AMD', 'AM5', 16, 170],
  ['Core i3-12100F', 'Intel', 'LGA 1700', 4, 58],
  ['Core i5-12400F', 'Intel', 'LGA 1700', 6, 65],
  ['Core i5-13600K', 'Intel', 'LGA 1700', 14, 125],
  ['Core i7-12700K', 'Intel', 'LGA 1700', 12, 125],
  ['Core i7-14700K', 'Intel', 'LGA 1700', 20, 125],
  ['Core i9-14900K', 'Intel', 'LGA 1700', 24, 125],
  ['Core Ultra 7 265K', 'Intel', 'LGA 1851', 20, 125],
]
const boardMakers = ['Asus', 'MSI', 'Gigabyte', 'ASRock', 'Biostar']
const boardSeries = [
  'Prime',
  'Tomahawk',
  'Aorus Elite',
  'Steel Legend',
  'TUF Gaming',
  'Pro',
  'Mortar',
]
const chipsets: [chipset: string, socket: string][] = [
  ['B450', 'AM4'],
  ['B550', 'AM4'],
  ['X570', 'AM4'],
  ['A620', 'AM5'],
  ['B650', 'AM5'],
  ['B650E', 'AM5'],
  ['X670E', 'AM5'],
  ['X870', 'AM5'],
  ['H610', 'LGA 1700'],
  ['B760', 'LGA 1700'],
  ['Z690', 'LGA 1700'],
  ['Z790', 'LGA 1700'],
  ['Z890', 'LGA 1851'],
]

const makers: Record<string, (by: Chances) => Described> = {
  processor({ pick, next }) {
    const [name, brand, socket, cores, tdp] = pick(processors)
    const specs = { socket, cores, tdp_w: tdp, graphics: next() < 0.5, cooler: next() < 0.3 }
    return { brand, name: `${brand} ${name}`, specs, price: 60 + cores * 22 }
  },
  'graphics card'({ pick, next }) {
    const [chip, memory, tdp, price] = pick(chips)
    const [brand, colour] = [pick(cardMakers), pick(colours)]
    const name = `${brand} ${chip} ${pick(cardSeries)}${colour === 'White' ? ' White' : ''} ${memory}GB`
    const length = 200 + Math.floor(next() * 150)
    const specs = {
      chip,
      memory_gb: memory,
      length_mm: length,
      slots: 2,
      tdp_w: tdp,
      colour: [colour],
    }
    return { brand, name, specs, price: price + Math.floor(next() * 80) }
  },
  motherboard({ pick, next }) {
    const [chipset, socket] = pick(chipsets)
    const [brand, form] = [pick(boardMakers), pick(['ATX', 'Micro ATX', 'Mini-ITX'])]
    const short = { ATX: '', 'Micro ATX': 'M', 'Mini-ITX': 'I' }[form]
    const [series, wifi] = [pick(boardSeries), next() < 0.5]
    const memory = chipset === 'H610' || socket === 'AM4' ? 'DDR4' : 'DDR5'
    const name = `${brand} ${series} ${chipset}${short}${wifi ? ' WiFi' : ''}`
    const specs: Specs = { socket, form_factor: form, chipset, memory_type: memory, m2_slots: 2 }
    if (wifi) specs.wifi = 'Wi-Fi 6E'
    return { brand, name, specs, price: 80 + Math.floor(next() * 320) }
  },
  'memory module'({ pick }) {
    const brand = pick(['Corsair', 'G.Skill', 'Kingston', 'Crucial', 'TeamGroup', 'Patriot'])
    const series = pick(['Vengeance', 'Trident Z5', 'Fury Beast', 'Ripjaws', 'Dominator', 'Viper'])
    const type = pick(['DDR4', 'DDR5'])
    const speed = pick(type === 'DDR4' ? [3200, 3600] : [5200, 5600, 6000, 6400])
    const [capacity, lights, cas] = [
      pick([8, 16, 32, 64, 96]),
      pick([true, false]),
      pick([16, 30, 36, 40]),
    ]
    const name = `${brand} ${series}${lights ? ' RGB' : ''} ${capacity} GB ${type}-${speed} CL${cas}`
    const specs = {
      type,
      capacity_gb: capacity,
      modules: 2,
      speed_mts: speed,
      cas,
      module_form: 'DIMM',
      lights,
    }
    return { brand, name, specs, price: 20 + capacity * 3 }
  },
  'storage drive'({ pick, next }) {
    if (next() < 0.25) {
      const brand = pick(['Seagate', 'Toshiba', 'Western Digital'])
      const [series, terabytes] = [
        pick(['IronWolf', 'Barracuda', 'Red Plus', 'N300']),
        pick([2, 4, 8, 12, 16]),
      ]
      const specs = {
        type: 'Hard drive',
        capacity_gb: terabytes * 1000,
        form_factor: '3.5"',
        interface: 'SATA',
        rpm: 7200,
      }
      return {
        brand,
        name: `${brand} ${series} ${terabytes} TB`,
        specs,
        price: 50 + terabytes * 18,
      }
    }
    const brand = pick(['Samsung', 'Crucial', 'Kingston', 'WD', 'Lexar', 'Corsair'])
    const series = pick(['990 PRO', '980', 'T500', 'P3 Plus', 'KC3000', 'Black SN850X', 'NM790'])
    const gigabytes = pick([500, 1000, 2000, 4000])
    const sata = next() < 0.2
    const size = gigabytes < 1000 ? `${gigabytes} GB` : `${gigabytes / 1000} TB`
    const specs = {
      type: 'SSD',
      capacity_gb: gigabytes,
      form_factor: sata ? '2.5"' : 'M.2 2280',
      interface: sata ? 'SATA' : 'PCIe 4.0',
    }
    const name = `${brand} ${series}${sata ? ' SATA' : ' NVMe'} ${size}`
    return { brand, name, specs, price: 30 + gigabytes / 14 }
  },
  'power supply'({ pick, next }) {
    const brand = pick([
      'Corsair',
      'Seasonic',
      'be quiet!',
      'EVGA',
      'Cooler Master',
      'Fractal Design',
    ])
    const [series, watts] = [
      pick(['RMx', 'Focus', 'Pure Power', 'SuperNova', 'MWE', 'Ion']),
      pick([450, 550, 650, 750, 850, 1000, 1200]),
    ]
    const [efficiency, form] = [
      pick(['80 Plus Bronze', '80 Plus Gold', '80 Plus Platinum']),
      pick(['ATX', 'ATX', 'ATX', 'SFX']),
    ]
    const name = `${brand} ${series} ${watts}${form === 'SFX' ? ' SFX' : ''} ${efficiency.slice(8)}`
    const specs = {
      wattage_w: watts,
      form_factor: form,
      efficiency,
      modular: pick(['Fixed', 'Semi-modular', 'Fully modular']),
      length_mm: 100 + Math.floor(next() * 80),
      fanless: next() < 0.05,
    }
    return { brand, name, specs, price: 40 + watts / 8 }
  },
  case({ pick, next }) {
    const brand = pick([
      'Lian Li',
      'Fractal Design',
      'NZXT',
      'Corsair',
      'Phanteks',
      'Cooler Master',
    ])
    const series = pick([
      'O11 Dynamic',
      'North',
      'H7 Flow',
      '4000D Airflow',
      'Eclipse P400',
      'NR200',
      'Meshify 2',
    ])
    const [colour, form] = [pick(colours), pick(['ATX', 'Micro ATX', 'Mini-ITX'])]
    const specs: Specs = {
      type: form === 'Mini-ITX' ? 'Small form factor' : 'Mid tower',
      boards: ['Mini-ITX', 'Micro ATX', 'ATX'].slice(
        0,
        form === 'ATX' ? 3 : form === 'Micro ATX' ? 2 : 1,
      ),
      card_max_mm: 300 + Math.floor(next() * 100),
      side: pick(['Glass', 'Solid', 'Mesh']),
      colour: [colour],
    }
    return {
      brand,
      name: `${brand} ${series}${form === 'Mini-ITX' ? ' ITX' : ''} ${colour}`,
      specs,
      price: 70 + Math.floor(next() * 120),
    }
  },
  'tower cooler'({ pick }) {
    const brand = pick(['Noctua', 'be quiet!', 'Thermalright', 'DeepCool', 'Arctic', 'Scythe'])
    const series = pick([
      'NH-D15',
      'NH-U12S',
      'Dark Rock 4',
      'Peerless Assassin 120',
      'AK620',
      'Freezer 36',
      'Fuma 3',
    ])
    const height = pick([145, 155, 158, 165])
    const specs = {
      sockets: ['AM4', 'AM5', 'LGA 1700'],
      height_mm: height,
      cools_w: pick([150, 180, 220, 250]),
      fan_mm: pick([120, 140]),
    }
    return { brand, name: `${brand} ${series}`, specs, price: 30 + height / 3 }
  },
  'liquid cooler'({ pick }) {
    const brand = pick(['Corsair', 'NZXT', 'Arctic', 'Lian Li', 'DeepCool'])
    const [series, radiator] = [
      pick(['iCUE H150i', 'Kraken', 'Liquid Freezer III', 'Galahad', 'LT720']),
      pick(['240', '280', '360']),
    ]
    return {
      brand,
      name: `${brand} ${series} ${radiator}`,
      specs: { sockets: ['AM5', 'LGA 1700'], radiator_mm: radiator },
      price: 60 + Number(radiator) / 4,
    }
  },
  fan({ pick, next }) {
    const brand = pick(['Noctua', 'Arctic', 'be quiet!', 'Corsair', 'Lian Li'])
    const [series, size] = [
      pick(['NF-A12x25', 'P12', 'Silent Wings 4', 'AF120', 'UNI FAN', 'P14']),
      pick([80, 92, 120, 140]),
    ]
    const specs = {
      size_mm: size,
      pwm: next() < 0.8,
      lights: next() < 0.4,
      noise_db: 15 + Math.floor(next() * 20),
    }
    return {
      brand,
      name: `${brand} ${series} ${size} mm${specs.pwm ? ' PWM' : ''}`,
      specs,
      price: 8 + Math.floor(next() * 25),
    }
  },
  monitor({ pick }) {
    const brand = pick(['LG', 'Dell', 'Asus', 'Acer', 'Samsung', 'BenQ', 'AOC', 'MSI'])
    const [size, resolution] = pick([
      [24, '1920 × 1080'],
      [27, '1920 × 1080'],
      [27, '2560 × 1440'],
      [27, '3840 × 2160'],
      [32, '3840 × 2160'],
      [34, '3440 × 1440'],
    ] as [number, string][])
    const [panel, hertz, series] = [
      pick(['IPS', 'VA', 'OLED']),
      pick([60, 75, 144, 165, 180, 240]),
      pick(['UltraGear', 'UltraSharp', 'ROG Swift', 'Odyssey', 'Nitro', 'Zowie']),
    ]
    const specs = { size_in: size, resolution, refresh_hz: hertz, panel, curved: size === 34 }
    return {
      brand,
      name: `${brand} ${series} ${size}${panel === 'OLED' ? ' OLED' : ''}`,
      specs,
      price: 100 + hertz * 3,
    }
  },
  keyboard({ pick }) {
    const brand = pick(['Logitech', 'Keychron', 'Razer', 'Corsair', 'Ducky', 'SteelSeries'])
    const [series, size, switches] = [
      pick(['G915', 'K8 Pro', 'BlackWidow', 'K70', 'One 3', 'Apex Pro']),
      pick(['Full size', 'TKL', '75 %', '65 %', '60 %']),
      pick(['Linear', 'Tactile', 'Clicky', 'Membrane']),
    ]
    const connection = pick([['Wired'], ['Wired', 'Bluetooth'], ['2.4 GHz', 'Bluetooth']])
    return {
      brand,
      name: `${brand} ${series}${size === 'Full size' ? '' : ` ${size.replace(' %', '%')}`}`,
      specs: { size, switches, connection, hot_swap: true, layout: pick(['US', 'German']) },
      price: 60,
    }
  },
  mouse({ pick, next }) {
    const brand = pick(['Logitech', 'Razer', 'SteelSeries', 'Glorious', 'Zowie'])
    const series = pick([
      'MX Master 3S',
      'G Pro X Superlight',
      'DeathAdder V3',
      'Viper V3',
      'Rival 3',
      'Model O',
    ])
    const wireless = next() < 0.6
    return {
      brand,
      name: `${brand} ${series}${wireless ? ' Wireless' : ''}`,
      specs: {
        connection: wireless ? ['2.4 GHz', 'Bluetooth'] : ['Wired'],
        weight_g: 50 + Math.floor(next() * 60),
        hand: pick(['Right', 'Left', 'Both']),
        dpi: 26000,
      },
      price: 40 + Math.floor(next() * 90),
    }
  },
  headset({ pick }) {
    const brand = pick(['HyperX', 'SteelSeries', 'Logitech', 'Sennheiser', 'Audeze'])
    return {
      brand,
      name: `${brand} ${pick(['Cloud II', 'Arctis Nova 7', 'G733', 'PC38X', 'Maxwell'])}`,
      specs: {
        connection: [pick(['Wired', '2.4 GHz', 'Bluetooth'])],
        microphone: true,
        back: pick(['Open', 'Closed']),
      },
      price: 90,
    }
  },
}

/** How the parts are distributed among kinds. */
const shares: [kind: string, share: number][] = [
  ['graphics card', 13],
  ['motherboard', 12],
  ['memory module', 13],
  ['storage drive', 11],
  ['power supply', 8],
  ['case', 7],
  ['monitor', 10],
  ['keyboard', 7],
  ['mouse', 6],
  ['headset', 3],
  ['fan', 4],
  ['tower cooler', 3],
  ['liquid cooler', 2],
  ['processor', 1],
]
const drawn = shares.flatMap(([kind, share]) => Array.from({ length: share }, () => kind))

const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ'

/** A unique part number with separators, like those of manufacturers. */
const partNumber = (brand: string, n: number, by: Chances) =>
  [
    brand
      .replaceAll(/[^A-Za-z]/g, '')
      .slice(0, 3)
      .toUpperCase(),
    `${by.pick([...letters])}${by.pick([...letters])}${(n * 7919 + 10_007) % 1_000_003}`,
    by.pick(['WOF', 'EU', 'B1', '00', 'C36W']),
  ].join('-')

/** Creates parts. A repeated name gets a revision, as in many shops. */
export function makeParts(count: number): MadePart[] {
  const by = chances(20261122)
  const named = new Map<string, number>()
  return Array.from({ length: count }, (_, n) => {
    const kind = by.pick(drawn)
    const part = makers[kind]?.(by)
    if (!part) throw new Error(`no parts of the kind ${kind}`)
    const before = named.get(part.name) ?? 0
    named.set(part.name, before + 1)
    const name = before === 0 ? part.name : `${part.name} Rev. ${before + 1}`
    return {
      ...part,
      kind,
      name,
      price: Math.round(part.price),
      mpn: partNumber(part.brand, n, by),
    }
  })
}

/** Parts per statement. */
const rowsAtOnce = 1_000

/** Inserts the parts, dated from 800 days ago until today. They need the kinds of a new shop. */
export async function insertParts(db: Pick<PoolClient, 'query'>, parts: MadePart[]): Promise<void> {
  for (let from = 0; from < parts.length; from += rowsAtOnce) {
    await db.query(
      `insert into parts (name, kind, brand, mpn, specs, price_cents, image, description, minimum_order_quantity, sold_90, created_at)
       select name, kind, brand, mpn, specs, price * 100, $2, 'Made for measuring.', 1 + ($3 + place) % 3, (random() * 40)::int,
         now() - ($4 - $3 - place) * (interval '800 days' / $4)
       from rows from (jsonb_to_recordset($1) as (name text, kind text, brand text, mpn text, specs jsonb, price int))
         with ordinality made (name, kind, brand, mpn, specs, price, place)`,
      [JSON.stringify(parts.slice(from, from + rowsAtOnce)), noPicture, from, parts.length],
    )
  }
}
