/** The kinds of every new shop, and the fields of their parts. Owners add their own kinds. */
import { sql } from 'drizzle-orm'
import { drawingAddress, drawings } from '#contracts/drawings.ts'
import type { SpecOption } from '#contracts/kinds.ts'
import type { Queryable } from '#server/database/client.ts'
import { kinds, specFields } from '#server/database/schema/kinds.ts'
import { searchWords } from '#server/database/schema/search.ts'

export type BuiltinField = Omit<
  typeof specFields.$inferInsert,
  'kind' | 'key' | 'position' | 'isBuiltin' | 'label' | 'type'
> & { label: string; type: 'one' | 'many' | 'number' | 'yes' }

/** 'Micro ATX|matx' is a value with an alternative spelling. */
const options = (values: string[]): SpecOption[] =>
  values.map((text) => {
    const [value = '', ...also] = text.split('|')
    return { value, also }
  })
const one = (label: string, ...values: string[]): BuiltinField => ({
  label,
  type: 'one',
  options: options(values),
})
const many = (label: string, ...values: string[]): BuiltinField => ({
  ...one(label, ...values),
  type: 'many',
})
const yes = (label: string): BuiltinField => ({ label, type: 'yes' })
const number = (label: string, unit: string, max: number, min = 0): BuiltinField => ({
  label,
  type: 'number',
  unit,
  min,
  max,
})
const count = (label: string, max: number) => number(label, '', max)
/** A choice that manufacturers extend: it takes any value. */
const open = (field: BuiltinField): BuiltinField => ({ ...field, isOpen: true })
/** Describes what a part fits, not the part itself: 'mini itx case' must not find every case. */
const fits = (field: BuiltinField): BuiltinField => ({ ...field, isSearched: false })
/** Shown on the part's page, but not a filter. */
const detail = (field: BuiltinField): BuiltinField => ({ ...field, isFacet: false })

const sockets = [
  'AM4|socket am4',
  'AM5|socket am5',
  'sTR5|tr5',
  'LGA 1151 (300 series)|lga1151 v2',
  'LGA 1151 (100 and 200 series)|lga1151 v1',
  'LGA 1200|lga1200|1200',
  'LGA 1700|lga1700|1700',
  'LGA 1851|lga1851|1851',
]
const boards = [
  'E-ATX|eatx|extended atx',
  'ATX',
  'Micro ATX|microatx|matx|m-atx|uatx',
  'Mini-ITX|mini itx|miniitx|itx|mitx',
]
const supplies = ['ATX|atx12v|ps2', 'SFX', 'SFX-L|sfxl', 'TFX', 'Flex ATX|flexatx']
const memory = ['DDR3', 'DDR4', 'DDR5']
const modules = ['DIMM|udimm', 'SO-DIMM|sodimm']
const connections = ['Wired|cable|usb', '2.4 GHz|wireless|2.4ghz|dongle', 'Bluetooth|bt']
const colours = [
  'Black',
  'White',
  'Grey|gray|graphite',
  'Silver',
  'Green',
  'Blue',
  'Red',
  'Orange',
  'Yellow',
  'Pink',
  'Purple',
  'Brown',
  'Beige',
  'Gold',
  'Copper',
]
const colour = many('Colour', ...colours)
const lights = yes('Lights')
const noise = number('Noise', 'dB(A)', 100)
const plugs = {
  plugs_8pin: detail(count('8-pin plugs', 12)),
  plugs_6pin: detail(count('6-pin plugs', 12)),
  plugs_16pin: detail(count('16-pin plugs', 6)),
}

/** Which value a comparison marks as better, by key; fields without an entry have none. */
const better: Record<string, 'more' | 'less'> = Object.fromEntries([
  ...'cores threads base_ghz boost_ghz boost_mhz l3_mb memory_gb memory_slots memory_max_gb m2_slots sata_ports fan_headers \
ethernet_gbit capacity_gb speed_mts read_mbs write_mbs written_tb cache_mb wattage_w sata_plugs card_max_mm cooler_max_mm \
supply_max_mm cools_w airflow_cfm pressure_mmh2o refresh_hz brightness_cdm2 dpi battery_h frames_s sample_rate_khz power_va'
    .split(' ')
    .map((key) => [key, 'more']),
  ...'tdp_w power_limit_w cas noise_db response_ms'.split(' ').map((key) => [key, 'less']),
])

/**
 * The heading of the field on a part's page, by key; fields without an entry come first, without a
 * heading.
 */
const groups: Record<string, string> = Object.fromEntries(
  Object.entries({
    Performance:
      'base_ghz boost_ghz boost_mhz l3_mb speed_mts cas read_mbs write_mbs written_tb cache_mb cools_w airflow_cfm pressure_mmh2o refresh_hz response_ms brightness_cdm2 sync dpi',
    Memory:
      'memory_gb memory_types memory_type memory_slots memory_max_gb memory_form memory_ecc memory_registered',
    'Size and fit':
      'length_mm slots height_mm card_max_mm cooler_max_mm radiators_mm supply_sizes supply_max_mm memory_below_mm fan_mm fan_sizes_mm radiator_thickness_mm volume_l module_form',
    Connections:
      'm2_slots sata_ports eps_plugs fan_headers wifi ethernet_gbit plugs_at_back plugs_8pin plugs_6pin plugs_16pin sata_plugs hdmi displayport usb_c bays_35 bays_25 fan_places plug',
    'Power and noise': 'tdp_w power_limit_w voltage_v noise_db rpm fanless battery_h',
    Looks: 'colour lights side curved',
  }).flatMap(([group, keys]) => keys.split(' ').map((key) => [key, group])),
)

/** `cards` are the fields on a part's card; the first three are also the filters above a list. */
type Kind = { otherNames: string[]; cards: string; fields: Record<string, BuiltinField> }

export const builtinKinds: Record<string, Kind> = {
  processor: {
    otherNames: ['cpu'],
    cards: 'socket cores tdp_w boost_ghz',
    fields: {
      socket: one('Socket', ...sockets),
      cores: count('Cores', 256),
      threads: detail(count('Threads', 512)),
      base_ghz: detail(number('Base clock', 'GHz', 10)),
      boost_ghz: number('Boost clock', 'GHz', 10),
      tdp_w: number('TDP', 'W', 1000),
      power_limit_w: number('Power limit', 'W', 1000),
      architecture: open(one('Architecture')),
      l3_mb: number('L3 cache', 'MB', 2048),
      memory_types: fits(many('Memory', ...memory)),
      graphics: yes('Graphics on board'),
      cooler: yes('Cooler in the box'),
    },
  },
  'graphics card': {
    otherNames: ['gpu', 'vga', 'video card', 'graphic card', 'graphics'],
    cards: 'chip memory_gb length_mm',
    fields: {
      chip: open(one('Chip')),
      memory_gb: number('Memory', 'GB', 256),
      memory_type: open(one('Memory type', 'GDDR5', 'GDDR6', 'GDDR6X', 'GDDR7')),
      boost_mhz: number('Boost clock', 'MHz', 10_000),
      length_mm: number('Length', 'mm', 600),
      slots: number('Slots', '', 6),
      tdp_w: number('Power', 'W', 1000),
      ...plugs,
      hdmi: detail(count('HDMI sockets', 8)),
      displayport: detail(count('DisplayPort sockets', 8)),
      colour,
    },
  },
  motherboard: {
    otherNames: ['mainboard', 'mobo', 'board'],
    cards: 'socket form_factor chipset wifi',
    fields: {
      socket: one('Socket', ...sockets),
      form_factor: one('Form factor', ...boards),
      chipset: open(one('Chipset')),
      memory_type: one('Memory', ...memory),
      memory_slots: count('Memory slots', 16),
      memory_max_gb: detail(number('Largest memory', 'GB', 8192)),
      memory_form: fits(detail(one('Memory form', ...modules))),
      memory_ecc: fits(detail(yes('ECC memory'))),
      memory_registered: fits(detail(yes('Registered memory'))),
      m2_slots: count('M.2 slots', 16),
      sata_ports: count('SATA ports', 32),
      eps_plugs: detail(count('EPS plugs', 4)),
      fan_headers: detail(count('Fan headers', 24)),
      wifi: open(
        one(
          'Wi-Fi',
          'Wi-Fi 5|wifi 5|802.11ac',
          'Wi-Fi 6|wifi 6|802.11ax',
          'Wi-Fi 6E|wifi 6e',
          'Wi-Fi 7|wifi 7|802.11be',
        ),
      ),
      ethernet_gbit: number('Ethernet', 'Gbit/s', 400),
      flash_without_processor: yes('Flash without processor'),
      plugs_at_back: yes('Plugs at the back'),
    },
  },
  'memory module': {
    otherNames: ['ram', 'memory'],
    cards: 'type capacity_gb speed_mts',
    fields: {
      type: one('Type', ...memory),
      capacity_gb: number('Capacity', 'GB', 4096),
      modules: count('Modules', 16),
      speed_mts: number('Speed', 'MT/s', 20_000),
      cas: count('CAS latency', 100),
      module_form: one('Form', ...modules),
      ecc: yes('ECC'),
      registered: yes('Registered'),
      profiles: many('Profiles', 'XMP|xmp 3.0', 'EXPO'),
      height_mm: number('Height', 'mm', 100),
      voltage_v: detail(number('Voltage', 'V', 3)),
      lights,
      colour,
    },
  },
  'storage drive': {
    otherNames: ['ssd', 'hdd', 'disk'],
    cards: 'type capacity_gb form_factor interface',
    fields: {
      type: one('Type', 'SSD', 'Hard drive|hdd|hard disk'),
      capacity_gb: number('Capacity', 'GB', 1_000_000),
      form_factor: one(
        'Form factor',
        'M.2 2230|m.2-2230',
        'M.2 2242|m.2-2242',
        'M.2 2280|m.2-2280',
        '2.5"|2.5 in|2.5',
        '3.5"|3.5 in|3.5',
      ),
      interface: one(
        'Interface',
        'SATA|sata 6 gbit/s|sata iii',
        'PCIe 3.0|pcie 3',
        'PCIe 4.0|pcie 4',
        'PCIe 5.0|pcie 5',
      ),
      read_mbs: number('Read', 'MB/s', 30_000),
      write_mbs: number('Write', 'MB/s', 30_000),
      written_tb: number('Rated writes', 'TB', 100_000),
      rpm: number('Speed', 'rpm', 20_000),
      cache_mb: detail(number('Cache', 'MB', 100_000)),
      noise_db: noise,
    },
  },
  'power supply': {
    otherNames: ['psu', 'power unit'],
    cards: 'wattage_w efficiency form_factor',
    fields: {
      wattage_w: number('Power', 'W', 3000),
      form_factor: one('Form factor', ...supplies),
      efficiency: one(
        'Efficiency',
        '80 Plus',
        '80 Plus Bronze|bronze',
        '80 Plus Silver|silver',
        '80 Plus Gold|gold',
        '80 Plus Platinum|platinum',
        '80 Plus Titanium|titanium',
      ),
      modular: one(
        'Cables',
        'Fixed|non-modular|no',
        'Semi-modular|semi',
        'Fully modular|full|modular|yes',
      ),
      length_mm: number('Length', 'mm', 400),
      ...plugs,
      eps_plugs: detail(count('EPS plugs', 6)),
      sata_plugs: detail(count('SATA plugs', 32)),
      fanless: yes('Fanless'),
      noise_db: noise,
    },
  },
  case: {
    otherNames: ['chassis', 'enclosure', 'housing'],
    cards: 'type boards card_max_mm',
    fields: {
      type: one(
        'Type',
        'Full tower',
        'Mid tower|midi tower|mid-tower',
        'Mini tower',
        'Small form factor|sff',
        'Desktop',
        'Cube',
      ),
      boards: fits(many('Boards', ...boards)),
      card_max_mm: fits(number('Card up to', 'mm', 600)),
      cooler_max_mm: fits(number('Cooler up to', 'mm', 300)),
      radiators_mm: fits(many('Radiators', '120', '140', '240', '280', '360', '420')),
      supply_sizes: fits(many('Supplies', ...supplies)),
      supply_max_mm: fits(number('Supply up to', 'mm', 400)),
      bays_35: detail(count('3.5″ bays', 32)),
      bays_25: detail(count('2.5″ bays', 32)),
      fan_places: fits(detail(count('Fan places', 32))),
      fan_sizes_mm: fits(detail(many('Fan sizes', '80', '92', '120', '140', '180', '200'))),
      plugs_at_back: fits(detail(yes('Cut for plugs at the back'))),
      slots: detail(count('Slots', 16)),
      side: one('Side', 'Glass|tempered glass', 'Solid', 'Mesh', 'Acrylic'),
      volume_l: number('Volume', 'L', 300),
      colour,
    },
  },
  'tower cooler': {
    otherNames: ['air cooler', 'cpu cooler', 'heatsink'],
    cards: 'sockets height_mm cools_w',
    fields: {
      sockets: fits(many('Sockets', ...sockets)),
      height_mm: number('Height', 'mm', 300),
      cools_w: number('Cools', 'W', 1000),
      memory_below_mm: fits(number('Memory below', 'mm', 200)),
      fan_mm: number('Fan', 'mm', 300),
      rpm: detail(number('Top speed', 'rpm', 10_000)),
      noise_db: noise,
    },
  },
  'liquid cooler': {
    otherNames: ['aio', 'water cooler', 'liquid cooling', 'water cooling', 'radiator'],
    cards: 'sockets radiator_mm',
    fields: {
      sockets: fits(many('Sockets', ...sockets)),
      radiator_mm: one('Radiator', '120', '140', '240', '280', '360', '420'),
      radiator_thickness_mm: number('Radiator thickness', 'mm', 100),
      cools_w: number('Cools', 'W', 1000),
      rpm: detail(number('Top speed', 'rpm', 10_000)),
      noise_db: noise,
    },
  },
  fan: {
    otherNames: ['case fan'],
    cards: 'size_mm pwm noise_db',
    fields: {
      size_mm: number('Size', 'mm', 400),
      pwm: yes('PWM'),
      rpm: number('Top speed', 'rpm', 10_000),
      noise_db: noise,
      airflow_cfm: number('Airflow', 'CFM', 500),
      pressure_mmh2o: number('Pressure', 'mmH₂O', 50),
      pack: count('In the pack', 20),
      plug: open(one('Plug', '3-pin', '4-pin')),
      lights,
      colour,
    },
  },
  monitor: {
    otherNames: ['display', 'screen'],
    cards: 'size_in resolution refresh_hz panel',
    fields: {
      size_in: number('Size', 'in', 120),
      resolution: open(
        one(
          'Resolution',
          '1920 × 1080|1080p|full hd|fhd|1920x1080',
          '2560 × 1440|1440p|qhd|wqhd|2560x1440',
          '3440 × 1440|uwqhd|3440x1440',
          '3840 × 2160|4k|uhd|2160p|3840x2160',
          '5120 × 2880|5k|5120x2880',
        ),
      ),
      refresh_hz: number('Refresh', 'Hz', 1000),
      panel: open(one('Panel', 'IPS', 'VA', 'TN', 'OLED', 'QD-OLED|qdoled')),
      response_ms: number('Response', 'ms', 100),
      aspect: open(one('Aspect', '16:9', '16:10', '21:9', '32:9')),
      sync: many('Sync', 'FreeSync', 'G-Sync|gsync'),
      brightness_cdm2: number('Brightness', 'cd/m²', 10_000),
      curved: yes('Curved'),
      height_adjust: yes('Height adjusts'),
      hdmi: detail(count('HDMI sockets', 8)),
      displayport: detail(count('DisplayPort sockets', 8)),
      usb_c: detail(count('USB-C sockets', 8)),
      hdr: open(one('HDR', 'HDR10', 'HDR400', 'HDR600', 'HDR1000')),
    },
  },
  keyboard: {
    otherNames: [],
    cards: 'size switches connection',
    fields: {
      size: one(
        'Size',
        'Full size|100 %|100%',
        'TKL|tenkeyless|80 %',
        '75 %|75%',
        '65 %|65%',
        '60 %|60%',
        'Number pad|numpad',
      ),
      keys: count('Keys', 200),
      switches: one('Switches', 'Linear', 'Tactile', 'Clicky', 'Membrane', 'Scissor'),
      connection: many('Connection', ...connections),
      hot_swap: yes('Hot-swap'),
      lights,
      layout: open(one('Layout', 'US', 'UK', 'German|de', 'French|fr', 'Nordic')),
    },
  },
  mouse: {
    otherNames: ['mice'],
    cards: 'connection weight_g hand',
    fields: {
      connection: many('Connection', ...connections),
      weight_g: number('Weight', 'g', 1000),
      hand: one('Hand', 'Right', 'Left', 'Both|ambidextrous'),
      dpi: number('Resolution', 'dpi', 100_000),
      buttons: count('Buttons', 30),
      battery_h: number('Battery', 'h', 10_000),
      silent: yes('Silent clicks'),
    },
  },
  headset: {
    otherNames: ['headphones', 'earphones'],
    cards: 'connection microphone back',
    fields: {
      connection: many('Connection', ...connections, '3.5 mm|jack'),
      microphone: yes('Microphone'),
      back: one('Back', 'Open', 'Closed'),
      fit: one('Fit', 'Over ear', 'On ear', 'In ear'),
    },
  },
  webcam: {
    otherNames: ['camera', 'web cam'],
    cards: 'resolution frames_s',
    fields: {
      resolution: open(one('Resolution', '720p', '1080p', '1440p', '4K|2160p')),
      frames_s: number('Frames', 'fps', 1000),
      connection: many('Connection', ...connections),
    },
  },
  'thermal paste': {
    otherNames: ['thermal compound', 'thermal grease', 'heat paste'],
    cards: 'weight_g',
    fields: { weight_g: number('Weight', 'g', 1000) },
  },
  'network card': {
    otherNames: ['nic', 'network adapter'],
    cards: 'connection standard slot',
    fields: {
      connection: one('Connection', 'Wired|ethernet', 'Wireless|wifi'),
      standard: open(one('Standard')),
      slot: open(one('Slot', 'PCIe x1', 'PCIe x4', 'PCIe x8', 'M.2', 'USB')),
    },
  },
  'sound card': {
    otherNames: [],
    cards: 'channels sample_rate_khz',
    fields: {
      channels: open(one('Channels', '2.0', '5.1', '7.1')),
      sample_rate_khz: number('Sample rate', 'kHz', 1000),
    },
  },
  speaker: {
    otherNames: ['speakers'],
    cards: 'channels power_w',
    fields: {
      channels: open(one('Channels', '2.0', '2.1', '5.1', '7.1')),
      power_w: number('Power', 'W', 5000),
    },
  },
  UPS: {
    otherNames: ['uninterruptible power supply'],
    cards: 'power_w power_va',
    fields: {
      power_w: number('Power', 'W', 20_000),
      power_va: number('Apparent power', 'VA', 20_000),
    },
  },
  'external drive': {
    otherNames: ['usb drive'],
    cards: 'type capacity_gb interface',
    fields: {
      type: one('Type', 'SSD', 'Hard drive|hdd|hard disk'),
      capacity_gb: number('Capacity', 'GB', 1_000_000),
      interface: open(one('Interface', 'USB-A', 'USB-C', 'Thunderbolt')),
    },
  },
}

/** Keyboards without a number pad have it in no value, and their sizes say it. */
const withoutNumpad = Object.fromEntries(
  ['numpad', 'numberpad', 'keypad', 'numpads'].flatMap((pad) =>
    ['without', 'no'].map((lead) => [`${lead}${pad}`, 'tkl | 75 % | 65 % | 60 %'] as const),
  ),
)

/** What words mean besides themselves: makers, slang, and facts ('0 to 24 dBA'). */
const words: Record<string, string> = {
  ...withoutNumpad,
  adapter: '@network-card',
  allinone: '@liquid-cooler',
  amd: 'ryzen | radeon | am5 | am4',
  argb: 'lights',
  compact: 'sff | itx | mini | sfx | short | 0 to 20 l',
  cordless: 'wireless | bluetooth',
  cpucooler: '@tower-cooler | @liquid-cooler',
  cpufan: '@tower-cooler',
  fullhd: '1080p',
  gen3: 'pcie3',
  gen4: 'pcie4',
  gen5: 'pcie5',
  geforce: 'rtx | gtx',
  harddisk: 'hdd',
  harddrive: 'hdd',
  illuminated: 'lights',
  intel: 'core | lga1700 | lga1851 | lga1200',
  keypad: 'numpad',
  itx: 'sfx',
  laptop: 'sodimm | notebook',
  lefthand: 'left | both',
  lefthanded: 'left | both',
  lefty: 'left | both',
  led: 'lights',
  lightweight: 'light | 0 to 70 g',
  lownoise: 'quiet | silent | 0 to 24 dBA',
  lowprofile: 'flat | low',
  mechanical: 'linear | tactile | clicky',
  mini: 'sff | itx | compact | sfx',
  mic: 'microphone',
  noiseless: 'silent | quiet | fanless | 0 to 20 dBA',
  nofan: 'fanless',
  notebook: 'sodimm | laptop',
  nvidia: 'geforce | rtx | gtx',
  nvme: 'pcie',
  passive: 'fanless',
  quiet: 'silent | fanless | noiseless | hush | 0 to 24 dBA',
  quieter: 'quiet | silent | fanless | 0 to 24 dBA',
  radeon: 'rx',
  rgb: 'lights',
  righthand: 'right | both',
  righthanded: 'right | both',
  silent: 'quiet | fanless | noiseless | hush | 0 to 24 dBA',
  slim: 'flat | low | thin',
  small: 'sff | itx | mini | compact | sfx | short | 0 to 20 l',
  solidstate: 'ssd',
  soundless: 'silent | quiet | fanless | 0 to 20 dBA',
  tenkeyless: 'tkl',
  tiny: 'sff | itx | mini | sfx | 0 to 20 l',
  ultrawide: '3440 | 5120 | wide',
  watercooled: '@liquid-cooler',
  watercooling: '@liquid-cooler',
  wide: 'ultrawide | 21:9',
  widescreen: 'ultrawide | wide',
  wireless: 'bluetooth',
  withoutfan: 'fanless',
  wlan: 'wifi | wireless',
}
/**
 * The sort of a list that words ask for, by the keys of fields, the largest first with `-`. The
 * first field that the kind has counts.
 */
const sorts: Record<string, string> = Object.fromEntries(
  Object.entries({
    'biggest largest greatest':
      '-capacity_gb -memory_gb -size_in -volume_l -wattage_w -power_va -power_w -length_mm -height_mm -size_mm -keys',
    'smallest tiniest mostcompact': 'volume_l size_in capacity_gb length_mm height_mm size_mm keys',
    'fastest quickest':
      '-read_mbs -speed_mts -refresh_hz -boost_ghz -boost_mhz -ethernet_gbit -rpm -frames_s',
    'mostpowerful strongest': '-wattage_w -cools_w -power_w -cores -tdp_w -airflow_cfm',
    'quietest mostsilent mostquiet leastnoisy': 'noise_db',
    loudest: '-noise_db',
    lightest: 'weight_g',
    heaviest: '-weight_g',
    brightest: '-brightness_cdm2',
    shortest: 'length_mm height_mm',
    'longest tallest': '-length_mm -height_mm',
    'longestbattery longestbatterylife': '-battery_h',
    'thinnest slimmest flattest': 'slots height_mm radiator_thickness_mm volume_l',
    'mostexpensive priciest dearest costliest highestprice': '-price',
    'leastexpensive lowestprice': 'price',
    'newest latest': 'newest',
    'bestrated toprated highestrated': 'rating',
    'mostpopular bestselling bestseller topselling': 'sold',
    mostcores: '-cores',
    'mostmemory mostram mostvram': '-memory_gb -capacity_gb -memory_max_gb',
    'moststorage highestcapacity': '-capacity_gb',
    'highestrefresh highestrefreshrate': '-refresh_hz',
    'lowestlatency lowestresponsetime': 'cas response_ms',
    'highestwattage mostwatts': '-wattage_w',
    'highestairflow mostairflow': '-airflow_cfm',
    'highestdpi highestresolution': '-dpi',
    mostbuttons: '-buttons',
    lowestpower: 'tdp_w',
  }).flatMap(([said, keys]) => {
    const means = keys.split(' ').map((key) => `sort=${key}`)
    return said.split(' ').map((word) => [word, means.join(' | ')])
  }),
)
/** The names of kinds in German, French and Spanish, without accents. */
const foreign: Record<string, string> = Object.fromEntries(
  Object.entries({
    '@processor': 'prozessor prozessoren processeur processeurs procesador procesadores',
    '@graphics-card':
      'grafikkarte grafikkarten cartegraphique cartesgraphiques tarjetagrafica tarjetasgraficas tarjetadevideo',
    '@motherboard':
      'hauptplatine hauptplatinen mutterplatine cartemere cartesmeres placabase placasbase placamadre tarjetamadre',
    '@memory-module':
      'arbeitsspeicher speicherriegel memoirevive barrettememoire memoriaram memoria memoire',
    '@storage-drive': 'laufwerk laufwerke stockage almacenamiento',
    '@power-supply':
      'netzteil netzteile alimentation alimentations alimentationpc fuentedealimentacion fuentesdealimentacion',
    '@case': 'gehause gehaeuse pcgehause boitier boitiers boitierpc caja cajapc cajas',
    '@tower-cooler | @liquid-cooler':
      'kuhler kuehler cpukuhler prozessorkuhler refroidisseur refroidisseurs ventirad disipador disipadores',
    '@liquid-cooler': 'wasserkuhlung wasserkuehlung refroidissementliquide refrigeracionliquida',
    '@fan': 'lufter luefter gehauselufter ventilateur ventilateurs ventilador ventiladores',
    '@monitor':
      'bildschirm bildschirme ecran ecrans moniteur moniteurs pantalla pantallas monitore',
    '@keyboard': 'tastatur tastaturen clavier claviers teclado teclados',
    '@mouse': 'maus mause maeuse souris raton ratones',
    '@headset': 'kopfhorer kopfhoerer casqueaudio casque casques ecouteurs auriculares cascos',
    '@webcam': 'kamera camaraweb',
    '@thermal-paste': 'warmeleitpaste waermeleitpaste patethermique pastatermica',
    '@network-card': 'netzwerkkarte wlankarte cartereseau tarjetadered',
    '@sound-card': 'soundkarte carteson tarjetadesonido',
    '@speaker': 'lautsprecher hautparleur hautparleurs enceinte enceintes altavoz altavoces',
    '@ups': 'usv onduleur sai',
    hdd: 'festplatte festplatten disquedur disquesdurs discoduro discosduros',
  }).flatMap(([means, said]) => said.split(' ').map((word) => [word, means])),
)

/** Pages of the shop that words are about. */
const pages: Record<string, string> = Object.fromEntries(
  Object.entries({
    '/returns':
      'return returnpolicy returnitem refund refundpolicy moneyback exchange warranty guarantee',
    '/delivery':
      'delivery deliverytime deliverycost shipping shippingcost shippingtime shippingpolicy freeshipping postage',
    '/contact':
      'contact contactus contactdetails customerservice customersupport phonenumber openinghours storehours',
    '/card-payment': 'payment paymentmethod creditcard debitcard paypal applepay',
    '/how-booking-works': 'booking howtobook howtoorder reservation',
    '/withdraw': 'withdrawal cancelorder cancelmyorder cancellation',
    '/dashboard/myOrders': 'invoice receipt myorder orderstatus trackorder trackmyorder tracking',
    '/about': 'aboutus',
    '/terms': 'termsandconditions termsofservice',
    '/privacy': 'privacy privacypolicy dataprotection',
    '/imprint': 'imprint impressum',
  }).flatMap(([path, said]) => said.split(' ').map((word) => [word, path])),
)
/** What people look for and a shop for parts does not sell; a kind or a part of this name wins. */
const unsold =
  `laptop notebook macbook imac ipad iphone phone smartphone tablet smartwatch printer scanner ink toner paper television tv \
projector console playstation ps5 ps4 xbox nintendo switchconsole windows msoffice software antivirus game videogame giftcard giftvoucher voucher \
gaminglaptop gamingpc desktoppc prebuiltpc prebuilt minipc gamingchair chair desk gamingdesk cable hub usbhub dockingstation router \
sdcard memorycard simcard usbstick usbcable hdmicable charger powerbank battery drone`.split(/\s+/)
/** Stop words: articles, question words, and what people say besides what they look for. */
const fillers =
  `a about also an and any are at available be best better but buy buying by can computer could decent did do does each every \
find fit fits fitting for from gaming get getting give go goes good got great had has have having hello help here hey hi how i ideal if in \
include included includes into is it its just kind kinds know like ll looking machine made make many may me might most much must \
my need needed needs new nice of ok on ones or our pc perfect please possible purchase re really recommend recommended run runs s sell \
selling sells setup shall shop should show so some something stuff suggest suitable tell than thanks that the their them there these they \
thing things this those to top use using ve very want wants was we were what whats when where which who whom whose why will with work \
working works would you your yours avec con ein eine einen fur mit para pour un una une und`.split(
    /\s+/,
  )

/**
 * Gives a new shop its kinds and search words. A shop that already has them keeps the owner's
 * changes.
 */
export async function seedKinds(db: Queryable): Promise<void> {
  const { rowCount } = await db.execute(sql`select from ${specFields} where is_builtin limit 1`)
  if (rowCount) return
  const named = Object.entries(builtinKinds).map(([name, kind]) => ({
    ...kind,
    name,
    slug: name.toLowerCase().replaceAll(' ', '-'),
  }))
  const rows = named.map(({ name, slug, otherNames }) => ({
    name,
    slug,
    otherNames,
    drawing: drawingAddress(drawings.find((drawing) => drawing === slug) ?? 'part'),
  }))
  await db.insert(kinds).values(rows).onConflictDoNothing()
  const fields = named.flatMap(({ slug: kind, cards, fields: those }) => {
    const cardKeys = cards.split(' ')
    return Object.entries(those).map(([key, field], position) => {
      const card = cardKeys.indexOf(key)
      return {
        ...field,
        kind,
        key,
        position,
        isCard: card >= 0,
        promoted: card >= 0 && card < 3,
        better: better[key] ?? null,
        group: groups[key] ?? '',
        isBuiltin: true,
      }
    })
  })
  await db.insert(specFields).values(fields).onConflictDoNothing()
  const means = new Map<string, string[]>()
  const explain = (word: string, meaning: string) =>
    means.set(word, [...(means.get(word) ?? []), ...meaning.split(' | ')])
  for (const some of [words, foreign, sorts, pages])
    for (const [word, meaning] of Object.entries(some)) explain(word, meaning)
  for (const word of unsold) explain(word, '@nothing')
  const explained = [...means].map(([word, meanings]) => ({ word, means: meanings }))
  const silent = fillers.map((word) => ({ word, means: [] }))
  await db
    .insert(searchWords)
    .values([...explained, ...silent])
    .onConflictDoNothing()
}
