/**
 * Queries of customers, with the parts that they should find: the kind ('cooler' is any kind of
 * cooler), a pattern for the name, and specifications. `queries` are about the parts of `parts.ts`,
 * `demoQueries` about the demo's parts.
 */
import type { SpecValue } from '#contracts/kinds.ts'
import type { MadePart } from './parts.ts'

export type Query = [
  query: string,
  kind: string,
  name?: RegExp | null,
  specs?: Record<string, SpecValue | ((value: SpecValue) => boolean)>,
]

const has = (option: string) => (value: SpecValue) => Array.isArray(value) && value.includes(option)
const atMost = (most: number) => (value: SpecValue) => typeof value === 'number' && value <= most
const leftHand = (value: SpecValue) => value === 'Left' || value === 'Both'
const wireless = (value: SpecValue) => !has('Wired')(value) || has('Bluetooth')(value)

export const queries: Query[] = [
  // whole names, prefixes, without blanks, and split
  ['ryzen 7 7800x3d', 'processor', /7800X3D/],
  ['7800x3d', 'processor', /7800X3D/],
  ['core i5 12400f', 'processor', /i5-12400F/],
  ['i7 14700k', 'processor', /14700K/],
  ['i5-13600', 'processor', /13600K/],
  ['rtx4070', 'graphics card', /RTX 4070/],
  ['rtx 4070 super', 'graphics card', /RTX 4070 (Ti )?Super/],
  ['4070 ti super', 'graphics card', /4070 Ti Super/],
  ['rx7600', 'graphics card', /RX 7600/],
  ['rx 7900 xtx', 'graphics card', /7900 XTX/],
  ['b 650 motherboard', 'motherboard', null, { chipset: 'B650' }],
  ['b650e', 'motherboard', null, { chipset: 'B650E' }],
  ['tomahawk z790', 'motherboard', /Tomahawk Z790/],
  ['990 pro 2tb', 'storage drive', /990 PRO .*2 TB/],
  ['nh d15', 'tower cooler', /NH-D15/],
  ['nhu12s', 'tower cooler', /NH-U12S/],
  ['lianli o11', 'case', /Lian Li O11/],
  ['o11 dynamic white', 'case', /O11 Dynamic White/],
  ['mx master', 'mouse', /MX Master/],
  ['deathadder', 'mouse', /DeathAdder/],
  ['k8 pro', 'keyboard', /K8 Pro/],
  ['nf a12x25', 'fan', /NF-A12x25/],
  ['ironwolf 8tb', 'storage drive', /IronWolf 8 TB/],
  ['sn850x', 'storage drive', /SN850X/],
  // misspelled
  ['ryzn 7', 'processor', /Ryzen 7/],
  ['nocuta nh-d15', 'tower cooler', /Noctua NH-D15/],
  ['corsiar vengance', 'memory module', /Corsair Vengeance/],
  ['samsng 990', 'storage drive', /Samsung 990/],
  ['logitec mouse', 'mouse', /Logitech/],
  ['seasnic focus', 'power supply', /Seasonic Focus/],
  ['keybord', 'keyboard'],
  ['graphcs card', 'graphics card'],
  ['tridnt z5', 'memory module', /Trident Z5/],
  ['fractl north', 'case', /Fractal Design North/],
  // units
  ['nvme 2tb', 'storage drive', null, { capacity_gb: 2000, interface: 'PCIe 4.0' }],
  ['2 tb ssd', 'storage drive', null, { capacity_gb: 2000, type: 'SSD' }],
  ['1000gb ssd', 'storage drive', null, { capacity_gb: 1000, type: 'SSD' }],
  ['650w psu', 'power supply', null, { wattage_w: 650 }],
  ['psu 850 watt gold', 'power supply', null, { wattage_w: 850, efficiency: '80 Plus Gold' }],
  ['1 kw power supply', 'power supply', null, { wattage_w: 1000 }],
  ['quiet psu 650', 'power supply', null, { wattage_w: 650 }],
  ['27 inch 144hz', 'monitor', null, { size_in: 27, refresh_hz: 144 }],
  ['32" monitor', 'monitor', null, { size_in: 32 }],
  ['120mm fan', 'fan', null, { size_mm: 120 }],
  ['140 mm pwm fan', 'fan', null, { size_mm: 140, pwm: true }],
  ['32gb ddr5', 'memory module', null, { capacity_gb: 32, type: 'DDR5' }],
  ['ddr4 3600', 'memory module', null, { type: 'DDR4', speed_mts: 3600 }],
  [
    '64 gb ram ddr5 6000',
    'memory module',
    null,
    { capacity_gb: 64, type: 'DDR5', speed_mts: 6000 },
  ],
  ['16gb graphics card', 'graphics card', null, { memory_gb: 16 }],
  ['8 core processor', 'processor', null, { cores: 8 }],
  ['360 aio', 'liquid cooler', null, { radiator_mm: '360' }],
  // kinds and their other names
  ['psu', 'power supply'],
  ['gpu', 'graphics card'],
  ['mobo', 'motherboard'],
  ['mainboard am5', 'motherboard', null, { socket: 'AM5' }],
  ['am4 cpu', 'processor', null, { socket: 'AM4' }],
  ['cpu cooler', 'tower cooler'],
  ['hard drive', 'storage drive', null, { type: 'Hard drive' }],
  ['hdd 16tb', 'storage drive', null, { type: 'Hard drive', capacity_gb: 16_000 }],
  ['ssd', 'storage drive', null, { type: 'SSD' }],
  ['monitors', 'monitor'],
  ['headphones', 'headset'],
  ['case', 'case'],
  ['water cooling', 'liquid cooler'],
  // properties
  ['4k monitor', 'monitor', null, { resolution: '3840 × 2160' }],
  ['1440p oled', 'monitor', null, { resolution: '2560 × 1440', panel: 'OLED' }],
  ['ultrawide monitor', 'monitor', null, { resolution: '3440 × 1440' }],
  ['mini itx case', 'case', / ITX/],
  ['white itx case', 'case', / ITX White/],
  ['itx board am5', 'motherboard', null, { form_factor: 'Mini-ITX', socket: 'AM5' }],
  [
    'matx b760 wifi',
    'motherboard',
    null,
    { form_factor: 'Micro ATX', chipset: 'B760', wifi: 'Wi-Fi 6E' },
  ],
  ['sfx power supply', 'power supply', null, { form_factor: 'SFX' }],
  [
    'fully modular platinum psu',
    'power supply',
    null,
    { modular: 'Fully modular', efficiency: '80 Plus Platinum' },
  ],
  ['white rtx 4080', 'graphics card', /RTX 4080.*White/],
  [
    'tkl mechanical keyboard',
    'keyboard',
    null,
    { size: 'TKL', switches: (value) => value !== 'Membrane' },
  ],
  ['wireless mouse', 'mouse', null, { connection: wireless }],
  ['bluetooth keyboard', 'keyboard', null, { connection: has('Bluetooth') }],
  ['left handed mouse', 'mouse', null, { hand: leftHand }],
  ['rgb ram 32gb', 'memory module', null, { lights: true, capacity_gb: 32 }],
  ['open back headset', 'headset', null, { back: 'Open' }],
  ['glass case white', 'case', /White/, { side: 'Glass' }],
  // written before they were tried: without units, what a part fits, and combinations
  [
    'corsair 850 gold psu',
    'power supply',
    /Corsair/,
    { wattage_w: 850, efficiency: '80 Plus Gold' },
  ],
  ['27 lg monitor 144', 'monitor', /LG/, { size_in: 27, refresh_hz: 144 }],
  ['noctua am5 cooler', 'tower cooler', /Noctua/],
  ['fractal case micro atx', 'case', /Fractal/, { boards: has('Micro ATX') }],
  ['deepcool 360', 'liquid cooler', /DeepCool/, { radiator_mm: '360' }],
  [
    'kingston fury 32gb ddr4 3200',
    'memory module',
    /Kingston Fury/,
    { capacity_gb: 32, type: 'DDR4', speed_mts: 3200 },
  ],
  ['msi rtx 5080 white', 'graphics card', /MSI .*5080.*White/],
  ['ryzen 9 am5 16 core', 'processor', /Ryzen 9/, { cores: 16 }],
  ['b760 itx with wifi', 'motherboard', /WiFi/, { chipset: 'B760', form_factor: 'Mini-ITX' }],
  ['seagate 12 tb hard disk', 'storage drive', /Seagate/, { capacity_gb: 12_000 }],
  ['samsung 990pro 4tb', 'storage drive', /Samsung 990 PRO/, { capacity_gb: 4000 }],
  ['asus oled 32 inch', 'monitor', /Asus/, { size_in: 32, panel: 'OLED' }],
  ['240 hz 1440p monitor', 'monitor', null, { refresh_hz: 240, resolution: '2560 × 1440' }],
  ['logitech wireless mouse', 'mouse', /Logitech/, { connection: wireless }],
  ['steelseries headset bluetooth', 'headset', /SteelSeries/, { connection: has('Bluetooth') }],
  ['arctic p12 pwm', 'fan', /Arctic P12/, { pwm: true }],
  ['evga supernova platinum', 'power supply', /EVGA SuperNova/, { efficiency: '80 Plus Platinum' }],
  ['be quiet dark rock', 'tower cooler', /be quiet! Dark Rock/],
  ['g.skill trident rgb 64', 'memory module', /G\.Skill Trident Z5 RGB 64/],
  ['nzxt h7 flow white', 'case', /NZXT H7 Flow.*White/],
  ['keychron k8 tactile', 'keyboard', /Keychron K8/, { switches: 'Tactile' }],
  ['am4 cooler 180w', 'tower cooler', null, { cools_w: 180 }],
  ['140 mm rgb fan', 'fan', null, { size_mm: 140, lights: true }],
  ['gigabyte aorus z790 ddr5', 'motherboard', /Gigabyte Aorus Elite Z790/],
  ['ultra 7 265k', 'processor', /265K/],
  ['crucial t500 1 tb nvme', 'storage drive', /Crucial T500/, { capacity_gb: 1000 }],
  [
    'sfx gold 650',
    'power supply',
    null,
    { wattage_w: 650, form_factor: 'SFX', efficiency: '80 Plus Gold' },
  ],
  ['left hand wireless mouse', 'mouse', /Wireless/, { hand: leftHand }],
  ['wd sn850x 2tb', 'storage drive', /WD Black SN850X/, { capacity_gb: 2000 }],
  [
    'mini itx am5 board with wifi',
    'motherboard',
    /WiFi/,
    { form_factor: 'Mini-ITX', socket: 'AM5' },
  ],
]

export const demoQueries: Query[] = [
  ['quiet 650w psu', 'power supply', /650 Quiet/],
  ['cpu cooler am5', 'cooler'],
  ['low profile cooler', 'tower cooler', /Flat/],
  ['silent 120 fan', 'fan', null, { size_mm: 120, noise_db: atMost(24) }],
  ['network card 10 gbit', 'network card', /10G/],
  ['usb c monitor', 'monitor', null, { usb_c: 1 }],
  ['27 monitor 4k', 'monitor', /27 4K/],
  ['27 monitor 240', 'monitor', /Easel 27 QHD/],
  ['850 gold psu', 'power supply', null, { wattage_w: 850 }],
  ['32 ddr5', 'memory module', null, { type: 'DDR5', capacity_gb: 32 }],
  ['ddr4 16gb', 'memory module', /DDR4 16/],
  ['laptop ram', 'memory module', /SO 16/],
  ['ecc memory', 'memory module', /ECC/],
  ['white graphics card', 'graphics card', /White/],
  ['short graphics card', 'graphics card', null, { length_mm: atMost(165) }],
  ['am4 motherboard', 'motherboard', /B550M/],
  ['motherboard wifi 7', 'motherboard', null, { wifi: 'Wi-Fi 7' }],
  ['mini itx motherboard intel', 'motherboard', /B860I/],
  ['mini-itx am5', 'motherboard', /B650I/],
  ['cheap ssd', 'storage drive', /500 GB/],
  ['2230 ssd', 'storage drive', /Short 1 TB/],
  ['1tb m.2', 'storage drive', null, { capacity_gb: 1000, interface: 'PCIe 4.0' }],
  ['pcie 5 ssd', 'storage drive', /Slipstream Five/],
  ['nas drive 16tb', 'storage drive', /Granary 16/],
  ['backup drive', 'storage drive', /Granary 4 TB/],
  ['oled monitor', 'monitor', /OLED/],
  ['curved ultrawide', 'monitor', /34/],
  ['24 inch office monitor', 'monitor', /24 FHD/],
  ['wireless keyboard', 'keyboard', null, { connection: wireless }],
  ['number pad', 'keyboard', /Pad/],
  ['mechanical keyboard tkl', 'keyboard', /TKL/],
  ['silent mouse', 'mouse', /Hush/],
  ['light gaming mouse', 'mouse', /Vole 54/],
  ['trackball mouse', 'mouse', /Trackball/],
  ['bluetooth headset', 'headset', /Wireless/],
  ['open back headphones', 'headset', /Open/],
  ['usb headset', 'headset', /Call/],
  ['4k webcam', 'webcam', /4K/],
  ['thermal paste', 'thermal paste'],
  ['360 aio', 'liquid cooler', /360/],
  ['280mm radiator', 'liquid cooler', /280/],
  ['white aio', 'liquid cooler', /White/],
  ['5070 ti', 'graphics card', /5070 Ti/],
  ['9800x3d', 'processor', /9800X3D/],
  ['16 core cpu', 'processor', /9950X/],
  ['processor with cooler', 'processor', null, { cooler: true }],
  ['lga1851 board ddr5 atx', 'motherboard', null, { socket: 'LGA 1851', form_factor: 'ATX' }],
  ['case for 420 radiator', 'case', /Gallery/],
  ['atx case glass', 'case', null, { side: 'Glass', boards: has('ATX') }],
  ['small case', 'case', /Breadbox/],
  ['fanless power supply', 'power supply', /Still/],
  ['sfx 750', 'power supply', /750 SFX/],
  ['memory low profile', 'memory module', null, { height_mm: atMost(34) }],
  ['rgb ram', 'memory module', /Glow/],
  ['96 gb ddr5', 'memory module', /96/],
  ['3 pack fan', 'fan', /Trio/],
  ['92mm fan', 'fan', /92/],
  ['a quiet 650 W supply under 90 dollars that fits a small case', 'power supply', /650 Quiet/],
  ['slipsteam 4tb', 'storage drive', /Slipstream NVMe 4/],
  ['2.5 inch ssd 2tb', 'storage drive', /Hearth SSD 2/],
  ['b650m', 'motherboard', /B650M/],
  ['tower cooler 250w', 'tower cooler', /Duo/],
  ['67mm cooler', 'tower cooler', /Flat/],
  ['wifi card', 'network card', /Air/],
  ['full tower', 'case', /Gallery/],
  ['e-atx case', 'case', /Gallery/],
  ['144hz 4k', 'monitor', /32 4K/],
  ['1000 watt platinum', 'power supply', /1000/],
  ['plugs at the back', 'motherboard', /Back/],
  ['hot swap keyboard', 'keyboard', null, { hot_swap: true }],
  ['gpu 16gb under 400', 'graphics card', /9060 XT 16/],
  ['2x16gb 6000', 'memory module', /DDR5 32/],
  ['intel processor 10 core', 'processor', /Fluxgate 3/],
  ['rx9070xt', 'graphics card', /9070 XT/],
  ['quiet hard drive', 'storage drive', null, { type: 'Hard drive', noise_db: atMost(26) }],
]

/**
 * Queries for what fits parts of the demo, or fits what is said: the kind that the list should have,
 * the names of the parts, and what else its parts must have.
 */
export type FitQuery = [query: string, kind: string, names: string[], specs?: Query[3]]

const among =
  (...values: SpecValue[]) =>
  (value: SpecValue) =>
    [value].flat().some((one) => values.includes(one))
const atLeast = (least: number) => (value: SpecValue) => Number(value) >= least

export const fitQueries: FitQuery[] = [
  ['cooler for 9800x3d', 'cooler', ['Lodestone 7 9800X3D']],
  ['psu for rtx 5080', 'power supply', ['Kestrel RTX 5080']],
  ['case for a 330 mm card', 'case', [], { card_max_mm: atLeast(330) }],
  ['ram for am4', 'memory module', [], { type: 'DDR4', module_form: 'DIMM' }],
  ['cpu for basalt b650', 'processor', ['Basalt B650 ATX']],
  ['gpu for breadbox itx', 'graphics card', ['Breadbox ITX']],
  [
    'power supply for 9800x3d and rx 7800 xt',
    'power supply',
    ['Lodestone 7 9800X3D', 'Cinder RX 7800 XT'],
  ],
  ['memory that fits basalt b650i', 'memory module', ['Basalt B650I ITX']],
  ['tower cooler for lodestone 7 9800x3d under 60 dollars', 'cooler', ['Lodestone 7 9800X3D']],
  ['cooler for lga 1851', 'cooler', [], { sockets: among('LGA 1851', 'LGA 1700') }],
  ['psu for 600 w', 'power supply', [], { wattage_w: atLeast(600) }],
  ['case compatible with b550m', 'case', ['Basalt B550M']],
  ['case for a mini itx board', 'case', [], { boards: has('Mini-ITX') }],
  ['ram kit for causeway z890', 'memory module', ['Causeway Z890']],
  // written before they were tried, and nothing was changed for them
  ['quiet cooler for my lodestone 9 9950x', 'cooler', ['Lodestone 9 9950X']],
  ['aio for fluxgate 7 265', 'liquid cooler', ['Fluxgate 7 265']],
  ['case for kestrel rtx 5070 ti white', 'case', ['Kestrel RTX 5070 Ti White']],
  ['motherboard for lodestone 5 5600', 'motherboard', ['Lodestone 5 5600']],
  ['ssd that fits causeway b860i', 'storage drive', ['Causeway B860I'], { type: 'SSD' }],
  ['heatsink for fluxgate 3 225', 'tower cooler', ['Fluxgate 3 225']],
  [
    'a hard drive for basalt b850 atx wifi',
    'storage drive',
    ['Basalt B850 ATX WiFi'],
    { type: 'Hard drive' },
  ],
  ['case with room for a 165 mm tall cooler', 'case', [], { cooler_max_mm: atLeast(165) }],
]

const most = (least: number) => (value: SpecValue) => typeof value === 'number' && value >= least
const not = (option: string) => (value: SpecValue) => value !== option

/** Everyday questions about the demo's parts, all written before one of them was tried. */
export const everydayQueries: Query[] = [
  // questions and politeness
  ['which headset do you recommend', 'headset'],
  ['hi, i need a new power supply please', 'power supply'],
  ['what is a good case for my pc', 'case'],
  ['do you sell webcams', 'webcam'],
  ['could you show me gaming monitors', 'monitor'],
  ['which motherboard works with ddr4', 'motherboard', null, { memory_type: 'DDR4' }],
  ['is there a keyboard with bluetooth', 'keyboard', null, { connection: has('Bluetooth') }],
  ['where can i get a network card', 'network card'],
  // misspelled by sound
  ['graphiks card', 'graphics card'],
  ['mowse', 'mouse'],
  ['headfones', 'headset'],
  ['mothebord', 'motherboard'],
  ['quiat fan', 'fan', null, { noise_db: atMost(24) }],
  ['proccesor', 'processor'],
  ['kooler', 'cooler'],
  ['wirless mouse', 'mouse', null, { connection: wireless }],
  // meanings of meanings
  ['amd video card', 'graphics card', /RX/],
  ['amd gpu 16gb', 'graphics card', /RX/, { memory_gb: 16 }],
  ['nvidia graphics card', 'graphics card', /RTX/],
  // superlatives
  ['biggest monitor', 'monitor', null, { size_in: most(34) }],
  ['largest ssd', 'storage drive', null, { type: 'SSD', capacity_gb: most(4000) }],
  ['the fastest monitor', 'monitor', null, { refresh_hz: most(280) }],
  ['shortest graphics card', 'graphics card', null, { length_mm: atMost(165) }],
  ['most expensive monitor', 'monitor', /34 OLED/],
  ['cheapest keyboard', 'keyboard', /Pad/],
  ['most powerful graphics card', 'graphics card', /5080/],
  ['cpu with most cores', 'processor', null, { cores: most(20) }],
  ['quietest hard drive', 'storage drive', /Granary 4 TB/],
  ['fastest nvme', 'storage drive', /Five/],
  ['what is the smallest ssd you have', 'storage drive', null, { capacity_gb: 500 }],
  ['mouse with the longest battery life', 'mouse', null, { battery_h: most(400) }],
  ['lightest mice', 'mouse', /Vole/],
  ['biggest memory kit', 'memory module', null, { capacity_gb: most(96) }],
  // values and what should not be there
  ['micro atx case', 'case', null, { boards: has('Micro ATX') }],
  ['e-atx tower', 'case', null, { boards: has('E-ATX') }],
  ['flat screen not curved', 'monitor', null, { curved: false }],
  ['ambidextrous mouse', 'mouse', null, { hand: 'Both' }],
  ['fan without lights', 'fan', null, { lights: false }],
  ['headset without microphone', 'headset', null, { microphone: false }],
  ['cpu with cooler included', 'processor', null, { cooler: true }],
  ['cpu without graphics', 'processor', null, { graphics: false }],
  ['keyboard no lights', 'keyboard', null, { lights: false }],
  ['solid side case', 'case', null, { side: 'Solid' }],
  ['case with no glass', 'case', null, { side: not('Glass') }],
  ['clicky keyboard', 'keyboard', null, { switches: 'Clicky' }],
  ['modular psu', 'power supply', null, { modular: 'Fully modular' }],
  ['on ear headset', 'headset', null, { fit: 'On ear' }],
  // several kinds, or several values of one
  ['mouse and keyboard', 'mouse'],
  ['case + psu', 'case'],
  ['red or linear keyboard', 'keyboard', null, { switches: 'Linear' }],
  [
    'ips or oled monitor',
    'monitor',
    null,
    { panel: (value) => value === 'IPS' || value === 'OLED' },
  ],
  // other languages
  ['Monitore', 'monitor'],
  ['leise Grafikkarte', 'graphics card'],
  ['clavier mécanique', 'keyboard'],
  ['fuente de alimentación 750w', 'power supply', null, { wattage_w: 750 }],
  ['Gehäuse mini-itx', 'case', null, { boards: has('Mini-ITX') }],
]

/** What is no part, with the page that is linked; without one the shop does not sell it. */
export const otherQueries: [query: string, page?: string][] = [
  ['how do i return something', '/returns'],
  ['shipping time', '/delivery'],
  ['office 365'],
  ['samsung galaxy phone'],
]

/** Whether a part matches a query. */
export function answers(
  [, kind, name, specs = {}]: Query,
  part: Pick<MadePart, 'kind' | 'name' | 'specs'>,
) {
  return (
    (part.kind === kind || part.kind.endsWith(` ${kind}`)) &&
    (name?.test(part.name) ?? true) &&
    Object.entries(specs).every(([key, expected]) => {
      const stated = part.specs[key]
      if (stated === undefined) return false
      return typeof expected === 'function' ? expected(stated) : stated === expected
    })
  )
}
