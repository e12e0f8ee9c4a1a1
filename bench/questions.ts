/** What customers ask, and which of the parts of `parts.ts` answer: of this kind, with this in the name, stating this. */
import type { SpecValue } from '#contracts/kinds.ts'
import type { MadePart } from './parts.ts'

type Question = [
  question: string,
  kind: string,
  name?: RegExp | null,
  specs?: Record<string, SpecValue | ((value: SpecValue) => boolean)>,
]

const has = (wanted: string) => (value: SpecValue) => Array.isArray(value) && value.includes(wanted)
const wireless = (value: SpecValue) => !has('Wired')(value) || has('Bluetooth')(value)

export const questions: Question[] = [
  // names as they are, begun, squeezed and split
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
  // kinds and what else they are called
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
  // what it is like
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
  ['left handed mouse', 'mouse', null, { hand: 'Left' }],
  ['rgb ram 32gb', 'memory module', null, { lights: true, capacity_gb: 32 }],
  ['open back headset', 'headset', null, { back: 'Open' }],
  ['glass case white', 'case', /White/, { side: 'Glass' }],
]

/** Whether a part answers a question. */
export function answers(
  [, kind, name, specs = {}]: Question,
  part: Pick<MadePart, 'kind' | 'name' | 'specs'>,
) {
  return (
    part.kind === kind &&
    (name?.test(part.name) ?? true) &&
    Object.entries(specs).every(([key, wanted]) => {
      const stated = part.specs[key]
      if (stated === undefined) return false
      return typeof wanted === 'function' ? wanted(stated) : stated === wanted
    })
  )
}
