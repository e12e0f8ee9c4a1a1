/**
 * Builds of real products with the specs their makers publish, and what a builder would say of each.
 *
 * Specs come from BuildCores OpenDB (github:buildcores/buildcores-open-db at
 * 136a77aec16a30ba81a7cc6b448a8bace9a25359) and from the pages named in `source`. 'recalled' in a
 * source marks fields that follow the maker's published sheet from memory: that page was not at hand.
 *
 * Conventions:
 * - `plugs_8pin` of a supply counts its 6+2 plugs; a 6+2 plug also serves a 6-pin socket.
 * - `plugs_16pin` is 12VHPWR or 12V-2x6.
 * - `eps_plugs` of a board counts an extra 4-pin CPU socket as one (marked 8+4).
 * - `fan_headers` counts all headers: processor, optional, pump and case.
 * - OpenDB marks server memory as 'Non-ECC, Unbuffered'; here its part number decides
 *   (KSM..E.. is ECC unbuffered, KSM..R.. is ECC registered).
 */
export type RealPart = {
  kind: string
  name: string
  source: string
  units?: number
  specs: Record<string, string | number | boolean | string[]>
}
export type RealBuild = {
  name: string
  parts: RealPart[]
  expected: 'fits' | 'problem' | 'warning' | 'unknown'
  /** A note is something to ask about: which firmware a board has, only its box tells. */
  findings: { level: 'problem' | 'warning' | 'unknown' | 'note'; parts: string[]; why: string }[]
}

const several = (part: RealPart, units: number): RealPart => ({ ...part, units })

// Processors

const ryzen1600: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen 5 1600 (Summit Ridge)',
  source: 'buildcores/buildcores-open-db open-db/CPU/ea92e2c9-afa9-4c7a-8f25-df4083b0680f.json',
  specs: {
    socket: 'AM4',
    cores: 6,
    threads: 12,
    base_ghz: 3.2,
    boost_ghz: 3.6,
    tdp_w: 65,
    power_limit_w: 88,
    architecture: 'Zen',
    l3_mb: 16,
    memory_types: ['DDR4'],
    graphics: false,
    cooler: true,
  },
}
const ryzen1700: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen 7 1700',
  source: 'buildcores/buildcores-open-db open-db/CPU/cc3a29bc-0e7a-4351-9a87-f56eba3a0d75.json',
  specs: {
    socket: 'AM4',
    cores: 8,
    threads: 16,
    base_ghz: 3,
    boost_ghz: 3.7,
    tdp_w: 65,
    power_limit_w: 88,
    architecture: 'Zen',
    l3_mb: 16,
    memory_types: ['DDR4'],
    graphics: false,
    cooler: true,
  },
}
const ryzen2600: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen 5 2600',
  source: 'buildcores/buildcores-open-db open-db/CPU/d4f192f2-115a-4821-9510-369615c4b0a4.json',
  specs: {
    socket: 'AM4',
    cores: 6,
    threads: 12,
    base_ghz: 3.4,
    boost_ghz: 3.9,
    tdp_w: 65,
    power_limit_w: 88,
    architecture: 'Zen+',
    l3_mb: 16,
    memory_types: ['DDR4'],
    graphics: false,
    cooler: true,
  },
}
const ryzen3200g: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen 3 3200G',
  source: 'buildcores/buildcores-open-db open-db/CPU/8fa3e52f-5fef-48ff-bba6-0f81708ccacf.json',
  specs: {
    socket: 'AM4',
    cores: 4,
    threads: 4,
    base_ghz: 3.6,
    boost_ghz: 4,
    tdp_w: 65,
    power_limit_w: 88,
    architecture: 'Zen+',
    l3_mb: 4,
    memory_types: ['DDR4'],
    graphics: true,
    cooler: true,
  },
}
const ryzen3600: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen 5 3600',
  source: 'buildcores/buildcores-open-db open-db/CPU/f34f9bc1-0136-43ee-bd78-a9efbd0e5f17.json',
  specs: {
    socket: 'AM4',
    cores: 6,
    threads: 12,
    base_ghz: 3.6,
    boost_ghz: 4.2,
    tdp_w: 65,
    power_limit_w: 88,
    architecture: 'Zen 2',
    l3_mb: 32,
    memory_types: ['DDR4'],
    graphics: false,
    cooler: true,
  },
}
const ryzen4600g: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen 5 4600G',
  source: 'buildcores/buildcores-open-db open-db/CPU/1380a6eb-8357-4ce2-be1c-190fa045a108.json',
  specs: {
    socket: 'AM4',
    cores: 6,
    threads: 12,
    base_ghz: 3.7,
    boost_ghz: 4.2,
    tdp_w: 65,
    power_limit_w: 88,
    architecture: 'Zen 2',
    l3_mb: 8,
    memory_types: ['DDR4'],
    graphics: true,
    cooler: true,
  },
}
const ryzen5600: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen 5 5600',
  source: 'buildcores/buildcores-open-db open-db/CPU/04984638-674b-4384-8866-a7b20d55f8b4.json',
  specs: {
    socket: 'AM4',
    cores: 6,
    threads: 12,
    base_ghz: 3.5,
    boost_ghz: 4.4,
    tdp_w: 65,
    power_limit_w: 88,
    architecture: 'Zen 3',
    l3_mb: 32,
    memory_types: ['DDR4'],
    graphics: false,
    cooler: true,
  },
}
const ryzen5800x3d: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen 7 5800X3D',
  source: 'buildcores/buildcores-open-db open-db/CPU/6c0ac2b9-20b2-40f8-b206-06877dc8f047.json',
  specs: {
    socket: 'AM4',
    cores: 8,
    threads: 16,
    base_ghz: 3.4,
    boost_ghz: 4.5,
    tdp_w: 105,
    power_limit_w: 142,
    architecture: 'Zen 3',
    l3_mb: 96,
    memory_types: ['DDR4'],
    graphics: false,
    cooler: false,
  },
}
// AMD lists the boxed 7600 with a Wraith Stealth; OpenDB says it has none.
const ryzen7600: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen 5 7600',
  source:
    'buildcores/buildcores-open-db open-db/CPU/6b03b443-7b22-491c-b301-7e2a285359df.json; cooler in the box: amd.com product page, recalled',
  specs: {
    socket: 'AM5',
    cores: 6,
    threads: 12,
    base_ghz: 3.8,
    boost_ghz: 5.1,
    tdp_w: 65,
    power_limit_w: 88,
    architecture: 'Zen 4',
    l3_mb: 32,
    memory_types: ['DDR5'],
    graphics: true,
    cooler: true,
  },
}
const ryzen7800x3d: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen 7 7800X3D',
  source: 'buildcores/buildcores-open-db open-db/CPU/4dcfffec-423b-4052-8aca-db6c0f84bb43.json',
  specs: {
    socket: 'AM5',
    cores: 8,
    threads: 16,
    base_ghz: 4.2,
    boost_ghz: 5,
    tdp_w: 120,
    power_limit_w: 162,
    architecture: 'Zen 4',
    l3_mb: 96,
    memory_types: ['DDR5'],
    graphics: true,
    cooler: false,
  },
}
const ryzen7950x: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen 9 7950X',
  source: 'buildcores/buildcores-open-db open-db/CPU/63f23f26-d52c-4e3c-be6e-0d25163cff59.json',
  specs: {
    socket: 'AM5',
    cores: 16,
    threads: 32,
    base_ghz: 4.5,
    boost_ghz: 5.7,
    tdp_w: 170,
    power_limit_w: 230,
    architecture: 'Zen 4',
    l3_mb: 64,
    memory_types: ['DDR5'],
    graphics: true,
    cooler: false,
  },
}
const ryzen9600x: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen 5 9600X',
  source: 'buildcores/buildcores-open-db open-db/CPU/cc0a0e08-bc25-4539-af92-952cced58623.json',
  specs: {
    socket: 'AM5',
    cores: 6,
    threads: 12,
    base_ghz: 3.9,
    boost_ghz: 5.4,
    tdp_w: 65,
    power_limit_w: 88,
    architecture: 'Zen 5',
    l3_mb: 32,
    memory_types: ['DDR5'],
    graphics: true,
    cooler: false,
  },
}
const ryzen9800x3d: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen 7 9800X3D',
  source: 'buildcores/buildcores-open-db open-db/CPU/7ab840c3-8c52-4ced-a65c-7b0922ca479e.json',
  specs: {
    socket: 'AM5',
    cores: 8,
    threads: 16,
    base_ghz: 4.7,
    boost_ghz: 5.2,
    tdp_w: 120,
    power_limit_w: 162,
    architecture: 'Zen 5',
    l3_mb: 96,
    memory_types: ['DDR5'],
    graphics: true,
    cooler: false,
  },
}
const ryzen9950x: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen 9 9950X',
  source: 'buildcores/buildcores-open-db open-db/CPU/ee2ac384-a2d9-4324-88af-d4765e604bcf.json',
  specs: {
    socket: 'AM5',
    cores: 16,
    threads: 32,
    base_ghz: 4.3,
    boost_ghz: 5.7,
    tdp_w: 170,
    power_limit_w: 230,
    architecture: 'Zen 5',
    l3_mb: 64,
    memory_types: ['DDR5'],
    graphics: true,
    cooler: false,
  },
}
const threadripper7960x: RealPart = {
  kind: 'processor',
  name: 'AMD Ryzen Threadripper 7960X',
  source: 'buildcores/buildcores-open-db open-db/CPU/6cac8d9c-b7e4-4ad4-a06d-ecb5c06220a4.json',
  specs: {
    socket: 'sTR5',
    cores: 24,
    threads: 48,
    base_ghz: 4.2,
    boost_ghz: 5.3,
    tdp_w: 350,
    architecture: 'Zen 4',
    l3_mb: 128,
    memory_types: ['DDR5'],
    graphics: false,
    cooler: false,
  },
}
const core9900k: RealPart = {
  kind: 'processor',
  name: 'Intel Core i9-9900K',
  source: 'buildcores/buildcores-open-db open-db/CPU/a44808fb-30a8-420c-8ddc-c8cb2645d89e.json',
  specs: {
    socket: 'LGA 1151 (300 series)',
    cores: 8,
    threads: 16,
    base_ghz: 3.6,
    boost_ghz: 5,
    tdp_w: 95,
    architecture: 'Coffee Lake Refresh',
    l3_mb: 16,
    memory_types: ['DDR4'],
    graphics: true,
    cooler: false,
  },
}
const core10400f: RealPart = {
  kind: 'processor',
  name: 'Intel Core i5-10400F',
  source: 'buildcores/buildcores-open-db open-db/CPU/766557bd-4a3c-4fb1-93e4-2e12c0264a74.json',
  specs: {
    socket: 'LGA 1200',
    cores: 6,
    threads: 12,
    base_ghz: 2.9,
    boost_ghz: 4.3,
    tdp_w: 65,
    architecture: 'Comet Lake',
    l3_mb: 12,
    memory_types: ['DDR4'],
    graphics: false,
    cooler: true,
  },
}
const core11400f: RealPart = {
  kind: 'processor',
  name: 'Intel Core i5-11400F',
  source: 'buildcores/buildcores-open-db open-db/CPU/efca94bc-ba7e-4149-a633-7d3f548f7ed8.json',
  specs: {
    socket: 'LGA 1200',
    cores: 6,
    threads: 12,
    base_ghz: 2.6,
    boost_ghz: 4.4,
    tdp_w: 65,
    architecture: 'Rocket Lake',
    l3_mb: 12,
    memory_types: ['DDR4'],
    graphics: false,
    cooler: true,
  },
}
const core11700k: RealPart = {
  kind: 'processor',
  name: 'Intel Core i7-11700K',
  source: 'buildcores/buildcores-open-db open-db/CPU/8d8b2fcb-8a7b-4355-9235-b90ee7d0416d.json',
  specs: {
    socket: 'LGA 1200',
    cores: 8,
    threads: 16,
    base_ghz: 3.6,
    boost_ghz: 5,
    tdp_w: 125,
    architecture: 'Rocket Lake',
    l3_mb: 16,
    memory_types: ['DDR4'],
    graphics: true,
    cooler: false,
  },
}
const core12100: RealPart = {
  kind: 'processor',
  name: 'Intel Core i3-12100',
  source: 'buildcores/buildcores-open-db open-db/CPU/63e78ef0-3723-44e2-b64d-ae7ef297cc46.json',
  specs: {
    socket: 'LGA 1700',
    cores: 4,
    threads: 8,
    base_ghz: 3.3,
    boost_ghz: 4.3,
    tdp_w: 60,
    power_limit_w: 89,
    architecture: 'Alder Lake',
    l3_mb: 12,
    memory_types: ['DDR4', 'DDR5'],
    graphics: true,
    cooler: true,
  },
}
const core12400: RealPart = {
  kind: 'processor',
  name: 'Intel Core i5-12400',
  source: 'buildcores/buildcores-open-db open-db/CPU/ff4b4766-4f58-4c17-915e-9881c50ed032.json',
  specs: {
    socket: 'LGA 1700',
    cores: 6,
    threads: 12,
    base_ghz: 2.5,
    boost_ghz: 4.4,
    tdp_w: 65,
    power_limit_w: 117,
    architecture: 'Alder Lake',
    l3_mb: 18,
    memory_types: ['DDR4', 'DDR5'],
    graphics: true,
    cooler: true,
  },
}
const core12400f: RealPart = {
  kind: 'processor',
  name: 'Intel Core i5-12400F',
  source: 'buildcores/buildcores-open-db open-db/CPU/19fbd8f2-a226-4b83-9e5d-683db638d337.json',
  specs: {
    socket: 'LGA 1700',
    cores: 6,
    threads: 12,
    base_ghz: 2.5,
    boost_ghz: 4.4,
    tdp_w: 65,
    power_limit_w: 117,
    architecture: 'Alder Lake',
    l3_mb: 18,
    memory_types: ['DDR4', 'DDR5'],
    graphics: false,
    cooler: true,
  },
}
const core13600k: RealPart = {
  kind: 'processor',
  name: 'Intel Core i5-13600K',
  source: 'buildcores/buildcores-open-db open-db/CPU/ed3c1bda-9520-40b5-bb05-e7e44ae7bfc1.json',
  specs: {
    socket: 'LGA 1700',
    cores: 14,
    threads: 20,
    base_ghz: 3.5,
    boost_ghz: 5.1,
    tdp_w: 125,
    power_limit_w: 181,
    architecture: 'Raptor Lake',
    l3_mb: 24,
    memory_types: ['DDR4', 'DDR5'],
    graphics: true,
    cooler: false,
  },
}
const core14900k: RealPart = {
  kind: 'processor',
  name: 'Intel Core i9-14900K',
  source: 'buildcores/buildcores-open-db open-db/CPU/e80823a0-6dd5-47d0-b69b-852e92acf964.json',
  specs: {
    socket: 'LGA 1700',
    cores: 24,
    threads: 32,
    base_ghz: 3.2,
    tdp_w: 125,
    power_limit_w: 253,
    architecture: 'Raptor Lake Refresh',
    l3_mb: 36,
    memory_types: ['DDR4', 'DDR5'],
    graphics: true,
    cooler: false,
  },
}
const ultra245k: RealPart = {
  kind: 'processor',
  name: 'Intel Core Ultra 5 245K',
  source: 'buildcores/buildcores-open-db open-db/CPU/7cbf59b4-fe0b-4941-8d69-51bb87d8fe51.json',
  specs: {
    socket: 'LGA 1851',
    cores: 14,
    threads: 14,
    base_ghz: 4.2,
    boost_ghz: 5.2,
    tdp_w: 125,
    power_limit_w: 159,
    architecture: 'Arrow Lake',
    l3_mb: 24,
    memory_types: ['DDR5'],
    graphics: true,
    cooler: false,
  },
}
const ultra265k: RealPart = {
  kind: 'processor',
  name: 'Intel Core Ultra 7 265K',
  source: 'buildcores/buildcores-open-db open-db/CPU/4d8d9d6b-723c-40ee-b1e9-e6665c58ae75.json',
  specs: {
    socket: 'LGA 1851',
    cores: 20,
    threads: 20,
    base_ghz: 3.9,
    tdp_w: 125,
    power_limit_w: 250,
    architecture: 'Arrow Lake',
    l3_mb: 30,
    memory_types: ['DDR5'],
    graphics: true,
    cooler: false,
  },
}

// Motherboards

const x370Pro: RealPart = {
  kind: 'motherboard',
  name: 'ASUS PRIME X370-PRO',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/8ae4f6c5-8845-4bc8-8238-ec1e075c5791.json',
  specs: {
    socket: 'AM4',
    form_factor: 'ATX',
    chipset: 'X370',
    memory_type: 'DDR4',
    memory_slots: 4,
    memory_max_gb: 64,
    memory_form: 'DIMM',
  },
}
const b450Aorus: RealPart = {
  kind: 'motherboard',
  name: 'Gigabyte B450 AORUS PRO WIFI (rev. 1.x)',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/76406895-f2c4-4b88-b6ae-a3b18592b2dc.json',
  specs: {
    socket: 'AM4',
    form_factor: 'ATX',
    chipset: 'B450',
    memory_type: 'DDR4',
    memory_slots: 4,
    memory_max_gb: 128,
    memory_form: 'DIMM',
    m2_slots: 2,
    sata_ports: 6,
    eps_plugs: 1,
    fan_headers: 5,
    wifi: 'Wi-Fi 5',
    ethernet_gbit: 1,
    flash_without_processor: false,
    plugs_at_back: false,
  },
}
const a520Gigabyte: RealPart = {
  kind: 'motherboard',
  name: 'Gigabyte A520M S2H',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/e1b56571-d8ca-4ea5-ae4e-f7b59d8a7d5a.json',
  specs: {
    socket: 'AM4',
    form_factor: 'Micro ATX',
    chipset: 'A520',
    memory_type: 'DDR4',
    memory_slots: 2,
    memory_max_gb: 64,
    memory_form: 'DIMM',
    m2_slots: 1,
    sata_ports: 4,
    eps_plugs: 1,
    fan_headers: 3,
    ethernet_gbit: 1,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
const a520Itx: RealPart = {
  kind: 'motherboard',
  name: 'ASRock A520M-ITX/ac',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/5cc281a8-dd9a-4c94-9bcb-d541a2eac8c3.json',
  specs: {
    socket: 'AM4',
    form_factor: 'Mini-ITX',
    chipset: 'A520',
    memory_type: 'DDR4',
    memory_slots: 2,
    memory_max_gb: 64,
    memory_form: 'DIMM',
    m2_slots: 1,
    sata_ports: 4,
    eps_plugs: 1,
    wifi: 'Wi-Fi 5',
    ethernet_gbit: 1,
    flash_without_processor: false,
    plugs_at_back: false,
  },
}
const b550Msi: RealPart = {
  kind: 'motherboard',
  name: 'MSI B550-A PRO',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/4b3e292e-4a0d-4261-85d4-5fb64e0af75e.json; registered memory: msi.com specification (UDIMM only), recalled',
  specs: {
    socket: 'AM4',
    form_factor: 'ATX',
    chipset: 'B550',
    memory_type: 'DDR4',
    memory_slots: 4,
    memory_max_gb: 128,
    memory_form: 'DIMM',
    memory_registered: false,
    m2_slots: 2,
    sata_ports: 6,
    eps_plugs: 1,
    fan_headers: 8,
    ethernet_gbit: 1,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
// Processor power is 8+4.
const x570Tuf: RealPart = {
  kind: 'motherboard',
  name: 'ASUS TUF GAMING X570-PLUS (WI-FI)',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/f1b62bdd-a008-42a5-abe2-e2fc14c0cdce.json',
  specs: {
    socket: 'AM4',
    form_factor: 'ATX',
    chipset: 'X570',
    memory_type: 'DDR4',
    memory_slots: 4,
    memory_max_gb: 128,
    memory_form: 'DIMM',
    memory_ecc: true,
    m2_slots: 2,
    sata_ports: 8,
    eps_plugs: 2,
    fan_headers: 6,
    wifi: 'Wi-Fi 5',
    ethernet_gbit: 1,
    flash_without_processor: false,
    plugs_at_back: false,
  },
}
// Six of its eight SATA ports come from two OCuLink sockets.
const x570Rack: RealPart = {
  kind: 'motherboard',
  name: 'ASRock Rack X570D4I-2T',
  source: 'https://wiki.pulsedmedia.com/wiki/ASRock_Rack_X570D4I-2T_Server_Motherboard',
  specs: {
    socket: 'AM4',
    form_factor: 'Mini-ITX',
    chipset: 'X570',
    memory_type: 'DDR4',
    memory_slots: 4,
    memory_max_gb: 128,
    memory_form: 'SO-DIMM',
    memory_ecc: true,
    memory_registered: false,
    m2_slots: 2,
    sata_ports: 8,
    eps_plugs: 1,
    fan_headers: 3,
    ethernet_gbit: 10,
  },
}
const a620Itx: RealPart = {
  kind: 'motherboard',
  name: 'Gigabyte A620I AX',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/13a859c2-45e5-41ff-958e-185d473db10c.json; memory form: gigabyte.com specification, recalled',
  specs: {
    socket: 'AM5',
    form_factor: 'Mini-ITX',
    chipset: 'A620',
    memory_type: 'DDR5',
    memory_slots: 2,
    memory_max_gb: 128,
    memory_form: 'DIMM',
    m2_slots: 1,
    sata_ports: 2,
    eps_plugs: 1,
    fan_headers: 3,
    ethernet_gbit: 2.5,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
// Processor power is 8+4.
const b650Aorus: RealPart = {
  kind: 'motherboard',
  name: 'Gigabyte B650 AORUS ELITE AX',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/0d3fe988-d94b-4b8e-b6e9-0b050c88ec91.json',
  specs: {
    socket: 'AM5',
    form_factor: 'ATX',
    chipset: 'B650',
    memory_type: 'DDR5',
    memory_slots: 4,
    memory_max_gb: 256,
    memory_form: 'DIMM',
    m2_slots: 3,
    sata_ports: 4,
    eps_plugs: 2,
    fan_headers: 6,
    wifi: 'Wi-Fi 6E',
    ethernet_gbit: 2.5,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
const b650Tomahawk: RealPart = {
  kind: 'motherboard',
  name: 'MSI MAG B650 TOMAHAWK WIFI',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/e8a66e2e-c53b-49d3-a31c-49a9ee8fe389.json',
  specs: {
    socket: 'AM5',
    form_factor: 'ATX',
    chipset: 'B650',
    memory_type: 'DDR5',
    memory_slots: 4,
    memory_max_gb: 256,
    memory_form: 'DIMM',
    m2_slots: 3,
    sata_ports: 6,
    eps_plugs: 2,
    fan_headers: 8,
    wifi: 'Wi-Fi 6E',
    ethernet_gbit: 2.5,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
const b650ProjectZero: RealPart = {
  kind: 'motherboard',
  name: 'MSI B650M PROJECT ZERO',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/1cd02388-90bf-48ec-a11a-d905a7f99702.json',
  specs: {
    socket: 'AM5',
    form_factor: 'Micro ATX',
    chipset: 'B650',
    memory_type: 'DDR5',
    memory_slots: 4,
    memory_max_gb: 256,
    memory_form: 'DIMM',
    m2_slots: 2,
    sata_ports: 4,
    eps_plugs: 2,
    fan_headers: 5,
    wifi: 'Wi-Fi 6E',
    ethernet_gbit: 2.5,
    flash_without_processor: true,
    plugs_at_back: true,
  },
}
const b650Hdv: RealPart = {
  kind: 'motherboard',
  name: 'ASRock B650M-HDV/M.2',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/73d6569f-3103-4de1-a194-f1a3afd2bb39.json',
  specs: {
    socket: 'AM5',
    form_factor: 'Micro ATX',
    chipset: 'B650',
    memory_type: 'DDR5',
    memory_slots: 2,
    memory_max_gb: 128,
    memory_form: 'DIMM',
    memory_ecc: true,
    sata_ports: 4,
    eps_plugs: 1,
    fan_headers: 4,
    ethernet_gbit: 2.5,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
const b650Itx: RealPart = {
  kind: 'motherboard',
  name: 'ASRock B650I Lightning WiFi',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/36ca7748-ff66-49aa-8862-9aefa066ed50.json',
  specs: {
    socket: 'AM5',
    form_factor: 'Mini-ITX',
    chipset: 'B650',
    memory_type: 'DDR5',
    memory_slots: 2,
    memory_max_gb: 128,
    memory_form: 'DIMM',
    memory_ecc: true,
    m2_slots: 2,
    sata_ports: 2,
    eps_plugs: 1,
    fan_headers: 3,
    wifi: 'Wi-Fi 6E',
    ethernet_gbit: 2.5,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
const x670eHero: RealPart = {
  kind: 'motherboard',
  name: 'ASUS ROG CROSSHAIR X670E HERO',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/97be2552-4dd9-44f9-aa96-0147aa92102a.json',
  specs: {
    socket: 'AM5',
    form_factor: 'ATX',
    chipset: 'X670E',
    memory_type: 'DDR5',
    memory_slots: 4,
    memory_max_gb: 192,
    memory_form: 'DIMM',
    memory_ecc: true,
    m2_slots: 5,
    sata_ports: 6,
    eps_plugs: 2,
    fan_headers: 7,
    wifi: 'Wi-Fi 6E',
    ethernet_gbit: 2.5,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
const x670eGodlike: RealPart = {
  kind: 'motherboard',
  name: 'MSI MEG X670E GODLIKE',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/8b472a30-e25e-4ebe-bd88-b9452b617c29.json',
  specs: {
    socket: 'AM5',
    form_factor: 'E-ATX',
    chipset: 'X670E',
    memory_type: 'DDR5',
    memory_slots: 4,
    memory_max_gb: 256,
    memory_form: 'DIMM',
    sata_ports: 8,
    eps_plugs: 2,
    fan_headers: 9,
    wifi: 'Wi-Fi 6E',
    ethernet_gbit: 10,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
const x870Tomahawk: RealPart = {
  kind: 'motherboard',
  name: 'MSI MAG X870 TOMAHAWK WIFI',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/80d454d2-8a96-40f6-a819-1dcd8f37a498.json',
  specs: {
    socket: 'AM5',
    form_factor: 'ATX',
    chipset: 'X870',
    memory_type: 'DDR5',
    memory_slots: 4,
    memory_max_gb: 256,
    memory_form: 'DIMM',
    m2_slots: 4,
    sata_ports: 4,
    eps_plugs: 2,
    fan_headers: 8,
    wifi: 'Wi-Fi 7',
    ethernet_gbit: 5,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
const x870Itx: RealPart = {
  kind: 'motherboard',
  name: 'ASUS ROG STRIX X870-I GAMING WIFI',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/59eb3a66-ac47-49c2-8107-21f2c6daf51d.json',
  specs: {
    socket: 'AM5',
    form_factor: 'Mini-ITX',
    chipset: 'X870',
    memory_type: 'DDR5',
    memory_slots: 2,
    memory_max_gb: 128,
    memory_form: 'DIMM',
    memory_ecc: true,
    m2_slots: 2,
    sata_ports: 2,
    eps_plugs: 1,
    fan_headers: 3,
    wifi: 'Wi-Fi 7',
    ethernet_gbit: 2.5,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
const x870eBtf: RealPart = {
  kind: 'motherboard',
  name: 'ASUS ROG CROSSHAIR X870E HERO BTF',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/b0faf23f-5c51-40c4-bef4-f04ab3f97d87.json',
  specs: {
    socket: 'AM5',
    form_factor: 'ATX',
    chipset: 'X870E',
    memory_type: 'DDR5',
    memory_slots: 4,
    memory_max_gb: 256,
    memory_form: 'DIMM',
    memory_ecc: true,
    m2_slots: 5,
    sata_ports: 4,
    eps_plugs: 2,
    fan_headers: 8,
    wifi: 'Wi-Fi 7',
    ethernet_gbit: 5,
    flash_without_processor: true,
    plugs_at_back: true,
  },
}
const trx50: RealPart = {
  kind: 'motherboard',
  name: 'Gigabyte TRX50 AI TOP',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/49f764d2-e7eb-46f4-8ebf-d11898dbd5c8.json; registered memory only: gigabyte.com specification, recalled',
  specs: {
    socket: 'sTR5',
    form_factor: 'E-ATX',
    chipset: 'TRX50',
    memory_type: 'DDR5',
    memory_slots: 8,
    memory_max_gb: 2000,
    memory_form: 'DIMM',
    memory_ecc: true,
    memory_registered: true,
    m2_slots: 4,
    sata_ports: 4,
    eps_plugs: 2,
    fan_headers: 9,
    wifi: 'Wi-Fi 7',
    ethernet_gbit: 10,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
const z270Tomahawk: RealPart = {
  kind: 'motherboard',
  name: 'MSI Z270 TOMAHAWK',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/5bfb4d28-8451-4d5c-876b-21f2b31a72d4.json',
  specs: {
    socket: 'LGA 1151 (100 and 200 series)',
    form_factor: 'ATX',
    chipset: 'Z270',
    memory_type: 'DDR4',
    memory_slots: 4,
    memory_max_gb: 64,
    memory_form: 'DIMM',
    sata_ports: 6,
    ethernet_gbit: 1,
  },
}
const h410Pro: RealPart = {
  kind: 'motherboard',
  name: 'MSI H410M PRO',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/24dc0218-82f3-4730-a05d-451eb4c17073.json',
  specs: {
    socket: 'LGA 1200',
    form_factor: 'Micro ATX',
    chipset: 'H410',
    memory_type: 'DDR4',
    memory_slots: 2,
    memory_max_gb: 64,
    memory_form: 'DIMM',
    sata_ports: 4,
    ethernet_gbit: 1,
  },
}
const h410V3: RealPart = {
  kind: 'motherboard',
  name: 'Gigabyte H410M S2 V3',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/13d0eae1-e81c-4998-b147-06d0614478b7.json',
  specs: {
    socket: 'LGA 1200',
    form_factor: 'Micro ATX',
    chipset: 'H510',
    memory_type: 'DDR4',
    memory_slots: 2,
    memory_max_gb: 64,
    memory_form: 'DIMM',
    sata_ports: 4,
    ethernet_gbit: 1,
  },
}
const b460Bazooka: RealPart = {
  kind: 'motherboard',
  name: 'MSI MAG B460M BAZOOKA',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/03c6dcec-9f3a-4a46-955d-5a0b18a50a95.json',
  specs: {
    socket: 'LGA 1200',
    form_factor: 'Micro ATX',
    chipset: 'B460',
    memory_type: 'DDR4',
    memory_slots: 4,
    memory_max_gb: 128,
    memory_form: 'DIMM',
    sata_ports: 4,
    ethernet_gbit: 1,
  },
}
// Processor power is 8+4.
const z490Prime: RealPart = {
  kind: 'motherboard',
  name: 'ASUS PRIME Z490-P',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/1e046f02-c2cc-4cac-9c7f-b68448caf9cc.json',
  specs: {
    socket: 'LGA 1200',
    form_factor: 'ATX',
    chipset: 'Z490',
    memory_type: 'DDR4',
    memory_slots: 4,
    memory_max_gb: 128,
    memory_form: 'DIMM',
    m2_slots: 2,
    sata_ports: 4,
    eps_plugs: 2,
    fan_headers: 5,
    ethernet_gbit: 1,
    flash_without_processor: false,
    plugs_at_back: false,
  },
}
const h610Msi: RealPart = {
  kind: 'motherboard',
  name: 'MSI PRO H610M-G WIFI DDR4',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/734d4deb-9e2d-49f9-bb03-fc20ebcff656.json',
  specs: {
    socket: 'LGA 1700',
    form_factor: 'Micro ATX',
    chipset: 'H610',
    memory_type: 'DDR4',
    memory_slots: 2,
    memory_max_gb: 64,
    memory_form: 'DIMM',
    m2_slots: 1,
    sata_ports: 4,
    eps_plugs: 1,
    fan_headers: 2,
    wifi: 'Wi-Fi 5',
    ethernet_gbit: 1,
    flash_without_processor: false,
    plugs_at_back: false,
  },
}
const b760Ds3h: RealPart = {
  kind: 'motherboard',
  name: 'Gigabyte B760M DS3H AX DDR4',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/20d00588-4011-47ea-a5ae-1d1af0fceb29.json',
  specs: {
    socket: 'LGA 1700',
    form_factor: 'Micro ATX',
    chipset: 'B760',
    memory_type: 'DDR4',
    memory_slots: 4,
    memory_max_gb: 128,
    memory_form: 'DIMM',
    m2_slots: 2,
    sata_ports: 4,
    eps_plugs: 1,
    fan_headers: 4,
    wifi: 'Wi-Fi 6E',
    ethernet_gbit: 2.5,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
const b760Tuf: RealPart = {
  kind: 'motherboard',
  name: 'ASUS TUF GAMING B760-PLUS WIFI',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/127513aa-3cbb-4faf-ae4d-3ca310b0eb26.json',
  specs: {
    socket: 'LGA 1700',
    form_factor: 'ATX',
    chipset: 'B760',
    memory_type: 'DDR5',
    memory_slots: 4,
    memory_max_gb: 192,
    memory_form: 'DIMM',
    memory_ecc: false,
    m2_slots: 3,
    sata_ports: 4,
    fan_headers: 7,
    wifi: 'Wi-Fi 6',
    ethernet_gbit: 2.5,
    plugs_at_back: false,
  },
}
const b760Itx: RealPart = {
  kind: 'motherboard',
  name: 'ASUS ROG STRIX B760-I GAMING WIFI',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/898b240a-4fe1-42b3-8597-39a3c933882f.json',
  specs: {
    socket: 'LGA 1700',
    form_factor: 'Mini-ITX',
    chipset: 'B760',
    memory_type: 'DDR5',
    memory_slots: 2,
    memory_max_gb: 96,
    memory_form: 'DIMM',
    m2_slots: 2,
    sata_ports: 4,
    eps_plugs: 1,
    fan_headers: 3,
    wifi: 'Wi-Fi 6E',
    ethernet_gbit: 2.5,
    plugs_at_back: false,
  },
}
const b760Lightning: RealPart = {
  kind: 'motherboard',
  name: 'ASRock B760I Lightning WiFi',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/16b7ebc9-2c67-4333-9b1c-27463c5bb7b0.json',
  specs: {
    socket: 'LGA 1700',
    form_factor: 'Mini-ITX',
    chipset: 'B760',
    memory_type: 'DDR5',
    memory_slots: 2,
    memory_max_gb: 128,
    memory_form: 'DIMM',
    m2_slots: 2,
    sata_ports: 3,
    eps_plugs: 1,
    fan_headers: 4,
    wifi: 'Wi-Fi 6E',
    ethernet_gbit: 2.5,
    flash_without_processor: false,
    plugs_at_back: false,
  },
}
const z790Wifi7: RealPart = {
  kind: 'motherboard',
  name: 'MSI Z790 GAMING PLUS WIFI7',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/45143eb0-44eb-4f88-a6c8-38fc8e000270.json',
  specs: {
    socket: 'LGA 1700',
    form_factor: 'ATX',
    chipset: 'Z790',
    memory_type: 'DDR5',
    memory_slots: 4,
    memory_max_gb: 192,
    memory_form: 'DIMM',
    m2_slots: 4,
    sata_ports: 6,
    eps_plugs: 2,
    fan_headers: 8,
    wifi: 'Wi-Fi 7',
    ethernet_gbit: 2.5,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
const b860Prime: RealPart = {
  kind: 'motherboard',
  name: 'ASUS PRIME B860M-A',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/1647a160-1795-4a71-b189-6acc2f3b125c.json',
  specs: {
    socket: 'LGA 1851',
    form_factor: 'Micro ATX',
    chipset: 'B860',
    memory_type: 'DDR5',
    memory_slots: 4,
    memory_max_gb: 256,
    memory_form: 'DIMM',
    m2_slots: 2,
    sata_ports: 4,
    eps_plugs: 1,
    fan_headers: 6,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}
const z890Tomahawk: RealPart = {
  kind: 'motherboard',
  name: 'MSI MAG Z890 TOMAHAWK WIFI',
  source:
    'buildcores/buildcores-open-db open-db/Motherboard/037079fc-2442-4a6d-83aa-903eed25d536.json',
  specs: {
    socket: 'LGA 1851',
    form_factor: 'ATX',
    chipset: 'Z890',
    memory_type: 'DDR5',
    memory_slots: 4,
    memory_max_gb: 256,
    memory_form: 'DIMM',
    m2_slots: 4,
    sata_ports: 4,
    eps_plugs: 2,
    fan_headers: 8,
    wifi: 'Wi-Fi 7',
    ethernet_gbit: 5,
    flash_without_processor: true,
    plugs_at_back: false,
  },
}

// Memory

const lpx16: RealPart = {
  kind: 'memory-module',
  name: 'Corsair Vengeance LPX 16 GB (2 × 8 GB) DDR4-3200 CL16',
  source: 'buildcores/buildcores-open-db open-db/RAM/903d7878-c118-4256-b68a-ff9d85901697.json',
  specs: {
    type: 'DDR4',
    capacity_gb: 16,
    modules: 2,
    speed_mts: 3200,
    cas: 16,
    module_form: 'DIMM',
    ecc: false,
    registered: false,
    height_mm: 33.5,
  },
}
const lpx32x4: RealPart = {
  kind: 'memory-module',
  name: 'Corsair Vengeance LPX 32 GB (4 × 8 GB) DDR4-3200 CL16',
  source: 'buildcores/buildcores-open-db open-db/RAM/c65eb8b0-9af1-48ce-a29d-20af2d5e4737.json',
  specs: {
    type: 'DDR4',
    capacity_gb: 32,
    modules: 4,
    speed_mts: 3200,
    cas: 16,
    module_form: 'DIMM',
    ecc: false,
    registered: false,
  },
}
const ripjaws32: RealPart = {
  kind: 'memory-module',
  name: 'G.Skill Ripjaws V 32 GB (2 × 16 GB) DDR4-3600 CL18',
  source:
    'buildcores/buildcores-open-db open-db/RAM/15b65b34-f647-4ffc-8b61-a0a9f5a0006c.json; height: https://blog.ocworks.com/archives/52009395',
  specs: {
    type: 'DDR4',
    capacity_gb: 32,
    modules: 2,
    speed_mts: 3600,
    cas: 18,
    module_form: 'DIMM',
    ecc: false,
    registered: false,
    height_mm: 42,
  },
}
const fury64: RealPart = {
  kind: 'memory-module',
  name: 'Kingston FURY Beast 64 GB (2 × 32 GB) DDR4-3200 CL16',
  source: 'buildcores/buildcores-open-db open-db/RAM/3509ef82-cf54-4b72-8cb3-fd3702b5f346.json',
  specs: {
    type: 'DDR4',
    capacity_gb: 64,
    modules: 2,
    speed_mts: 3200,
    cas: 16,
    module_form: 'DIMM',
    ecc: false,
    registered: false,
  },
}
const sodimmDdr4: RealPart = {
  kind: 'memory-module',
  name: 'Kingston ValueRAM SO-DIMM 16 GB DDR4-3200 (KVR32S22S8/16)',
  source: 'buildcores/buildcores-open-db open-db/RAM/15fc95d5-9408-4bc5-9a12-08529ab7ff31.json',
  specs: {
    type: 'DDR4',
    capacity_gb: 16,
    modules: 1,
    speed_mts: 3200,
    cas: 22,
    module_form: 'SO-DIMM',
    ecc: false,
    registered: false,
  },
}
const rdimmDdr4: RealPart = {
  kind: 'memory-module',
  name: 'Kingston Server Premier 16 GB DDR4-3200 registered (KSM32RD8/16HDR)',
  source:
    'buildcores/buildcores-open-db open-db/RAM/297f79b1-ed64-47b3-bbc9-131dfdc92b82.json; ECC and registered: part number',
  specs: {
    type: 'DDR4',
    capacity_gb: 16,
    modules: 1,
    speed_mts: 3200,
    cas: 22,
    module_form: 'DIMM',
    ecc: true,
    registered: true,
  },
}
const flareX5: RealPart = {
  kind: 'memory-module',
  name: 'G.Skill Flare X5 32 GB (2 × 16 GB) DDR5-6000 CL36',
  source: 'buildcores/buildcores-open-db open-db/RAM/3400d8e0-2abe-4b7c-8abc-17196d706e27.json',
  specs: {
    type: 'DDR5',
    capacity_gb: 32,
    modules: 2,
    speed_mts: 6000,
    cas: 36,
    module_form: 'DIMM',
    ecc: false,
    registered: false,
    profiles: ['XMP', 'EXPO'],
    height_mm: 33,
    voltage_v: 1.35,
  },
}
const crucialPro: RealPart = {
  kind: 'memory-module',
  name: 'Crucial Pro 32 GB (2 × 16 GB) DDR5-6400 CL38',
  source: 'buildcores/buildcores-open-db open-db/RAM/232e13c2-38e4-4c84-bd26-e2834a338b41.json',
  specs: {
    type: 'DDR5',
    capacity_gb: 32,
    modules: 2,
    speed_mts: 6400,
    cas: 38,
    module_form: 'DIMM',
    ecc: false,
    registered: false,
    profiles: ['XMP', 'EXPO'],
    height_mm: 34.8,
    voltage_v: 1.35,
  },
}
const tridentNeo: RealPart = {
  kind: 'memory-module',
  name: 'G.Skill Trident Z5 Neo RGB 32 GB (2 × 16 GB) DDR5-6000 CL26',
  source: 'buildcores/buildcores-open-db open-db/RAM/5c111f9b-0100-41ad-a2ca-e3a956e18b90.json',
  specs: {
    type: 'DDR5',
    capacity_gb: 32,
    modules: 2,
    speed_mts: 6000,
    cas: 26,
    module_form: 'DIMM',
    ecc: false,
    registered: false,
    profiles: ['EXPO'],
    height_mm: 44,
    voltage_v: 1.4,
    lights: true,
  },
}
const tridentNeo128: RealPart = {
  kind: 'memory-module',
  name: 'G.Skill Trident Z5 Neo RGB 128 GB (2 × 64 GB) DDR5-6000 CL34',
  source: 'buildcores/buildcores-open-db open-db/RAM/63696453-844f-4153-8b42-4595f7d5d6f8.json',
  specs: {
    type: 'DDR5',
    capacity_gb: 128,
    modules: 2,
    speed_mts: 6000,
    cas: 34,
    module_form: 'DIMM',
    ecc: false,
    registered: false,
    profiles: ['XMP', 'EXPO'],
    height_mm: 44,
    voltage_v: 1.35,
    lights: true,
  },
}
const vengeance192: RealPart = {
  kind: 'memory-module',
  name: 'Corsair Vengeance RGB 192 GB (4 × 48 GB) DDR5-5200 CL38',
  source: 'buildcores/buildcores-open-db open-db/RAM/670cdc2c-0fe8-487c-9ce4-fa1a4227eed4.json',
  specs: {
    type: 'DDR5',
    capacity_gb: 192,
    modules: 4,
    speed_mts: 5200,
    cas: 38,
    module_form: 'DIMM',
    ecc: false,
    registered: false,
    profiles: ['XMP'],
    voltage_v: 1.25,
    lights: true,
  },
}
const sodimmDdr5: RealPart = {
  kind: 'memory-module',
  name: 'Crucial SO-DIMM 24 GB DDR5-5600 (CT24G56C46S5)',
  source: 'buildcores/buildcores-open-db open-db/RAM/02090549-8582-4c57-ad57-126997365bbe.json',
  specs: {
    type: 'DDR5',
    capacity_gb: 24,
    modules: 1,
    speed_mts: 5600,
    cas: 46,
    module_form: 'SO-DIMM',
    ecc: false,
    registered: false,
  },
}
const eccUdimm: RealPart = {
  kind: 'memory-module',
  name: 'Kingston Server Premier 32 GB DDR5-4800 ECC UDIMM (KSM48E40BD8KM-32HM)',
  source:
    'buildcores/buildcores-open-db open-db/RAM/caae4eaf-2b35-4a95-b58b-e60ee1e1f19f.json; ECC: part number',
  specs: {
    type: 'DDR5',
    capacity_gb: 32,
    modules: 1,
    speed_mts: 4800,
    cas: 40,
    module_form: 'DIMM',
    ecc: true,
    registered: false,
  },
}
const rdimmDdr5: RealPart = {
  kind: 'memory-module',
  name: 'V-Color ECC RDIMM 128 GB (4 × 32 GB) DDR5-6000 CL32',
  source: 'buildcores/buildcores-open-db open-db/RAM/7558dd32-6770-44d7-bf48-565ecd73a987.json',
  specs: {
    type: 'DDR5',
    capacity_gb: 128,
    modules: 4,
    speed_mts: 6000,
    cas: 32,
    module_form: 'DIMM',
    ecc: true,
    registered: true,
    profiles: ['EXPO'],
    height_mm: 31,
    voltage_v: 1.25,
  },
}

// Graphics cards

const rtx4090Strix: RealPart = {
  kind: 'graphics-card',
  name: 'ASUS ROG Strix GeForce RTX 4090 24 GB White',
  source:
    'buildcores/buildcores-open-db open-db/GPU/14277324-f4d4-4a71-b034-91df4ffd643e.json; 16-pin plug: asus.com specification, recalled',
  specs: {
    chip: 'GeForce RTX 4090',
    memory_gb: 24,
    memory_type: 'GDDR6X',
    boost_mhz: 2550,
    length_mm: 358,
    slots: 4,
    tdp_w: 450,
    plugs_8pin: 0,
    plugs_6pin: 0,
    plugs_16pin: 1,
  },
}
const rtx5090Fe: RealPart = {
  kind: 'graphics-card',
  name: 'NVIDIA GeForce RTX 5090 Founders Edition',
  source: 'buildcores/buildcores-open-db open-db/GPU/3abe46e1-090c-4998-947f-6bd607f1cfe8.json',
  specs: {
    chip: 'GeForce RTX 5090',
    memory_gb: 32,
    memory_type: 'GDDR7',
    boost_mhz: 2407,
    length_mm: 304,
    slots: 2,
    tdp_w: 575,
    plugs_8pin: 0,
    plugs_6pin: 0,
    plugs_16pin: 1,
  },
}
const rtx5090Trio: RealPart = {
  kind: 'graphics-card',
  name: 'MSI GeForce RTX 5090 32G GAMING TRIO',
  source: 'buildcores/buildcores-open-db open-db/GPU/91ed58a8-893f-4b18-bec4-79bc7e3ac834.json',
  specs: {
    chip: 'GeForce RTX 5090',
    memory_gb: 32,
    memory_type: 'GDDR7',
    boost_mhz: 2407,
    length_mm: 359,
    slots: 3.5,
    tdp_w: 575,
    plugs_8pin: 0,
    plugs_6pin: 0,
    plugs_16pin: 1,
  },
}
const rtx5070Ti: RealPart = {
  kind: 'graphics-card',
  name: 'MSI GeForce RTX 5070 Ti 16G VENTUS 3X',
  source: 'buildcores/buildcores-open-db open-db/GPU/70da8636-d8ce-48ad-9501-f521595e3db7.json',
  specs: {
    chip: 'GeForce RTX 5070 Ti',
    memory_gb: 16,
    memory_type: 'GDDR7',
    boost_mhz: 2452,
    length_mm: 303,
    slots: 2.45,
    tdp_w: 300,
    plugs_8pin: 0,
    plugs_6pin: 0,
    plugs_16pin: 1,
  },
}
// OpenDB rounds its 4.3 slots up to 5.
const rtx4080Noctua: RealPart = {
  kind: 'graphics-card',
  name: 'ASUS GeForce RTX 4080 SUPER Noctua OC',
  source:
    'buildcores/buildcores-open-db open-db/GPU/1a32cbf2-316b-4bee-8a5c-d9a4254d8e47.json; slots and 16-pin plug: asus.com specification, recalled',
  specs: {
    chip: 'GeForce RTX 4080 SUPER',
    memory_gb: 16,
    memory_type: 'GDDR6X',
    boost_mhz: 2640,
    length_mm: 310,
    slots: 4.3,
    tdp_w: 320,
    plugs_16pin: 1,
  },
}
const rtx4070sDual: RealPart = {
  kind: 'graphics-card',
  name: 'ASUS Dual GeForce RTX 4070 SUPER OC 12 GB',
  source: 'buildcores/buildcores-open-db open-db/GPU/9cb2d498-70c8-4922-984e-bcfa8c87afe4.json',
  specs: {
    chip: 'GeForce RTX 4070 SUPER',
    memory_gb: 12,
    memory_type: 'GDDR6X',
    boost_mhz: 2550,
    length_mm: 267,
    slots: 3,
    tdp_w: 220,
    plugs_8pin: 0,
    plugs_6pin: 0,
    plugs_16pin: 1,
  },
}
const rtx3080Ventus: RealPart = {
  kind: 'graphics-card',
  name: 'MSI GeForce RTX 3080 VENTUS 3X PLUS 10G OC LHR',
  source: 'buildcores/buildcores-open-db open-db/GPU/178c4176-e8aa-460c-b31e-5b0523c39045.json',
  specs: {
    chip: 'GeForce RTX 3080',
    memory_gb: 10,
    memory_type: 'GDDR6X',
    boost_mhz: 1740,
    length_mm: 305,
    slots: 2.85,
    tdp_w: 320,
    plugs_8pin: 2,
  },
}
const rtx3050Lp: RealPart = {
  kind: 'graphics-card',
  name: 'MSI GeForce RTX 3050 Low Profile 6G OC',
  source: 'buildcores/buildcores-open-db open-db/GPU/089f0fbb-85b2-437b-a0ed-dcd9d9209432.json',
  specs: {
    chip: 'GeForce RTX 3050',
    memory_gb: 6,
    memory_type: 'GDDR6',
    boost_mhz: 1492,
    length_mm: 174,
    slots: 2,
    tdp_w: 70,
    plugs_8pin: 0,
    plugs_6pin: 0,
    plugs_16pin: 0,
  },
}
const gtx1650: RealPart = {
  kind: 'graphics-card',
  name: 'ZOTAC GAMING GeForce GTX 1650 OC GDDR6',
  source: 'buildcores/buildcores-open-db open-db/GPU/9729a667-004a-4023-8d0c-de878f983725.json',
  specs: {
    chip: 'GeForce GTX 1650',
    memory_gb: 4,
    memory_type: 'GDDR6',
    boost_mhz: 1620,
    length_mm: 151,
    slots: 2,
    tdp_w: 75,
    plugs_8pin: 0,
    plugs_6pin: 0,
    plugs_16pin: 0,
  },
}
const rx7900Nitro: RealPart = {
  kind: 'graphics-card',
  name: 'Sapphire NITRO+ Radeon RX 7900 XTX Vapor-X 24 GB',
  source: 'buildcores/buildcores-open-db open-db/GPU/c77bab65-1e05-4d15-b37c-442fcfae8ee3.json',
  specs: {
    chip: 'Radeon RX 7900 XTX',
    memory_gb: 24,
    memory_type: 'GDDR6',
    boost_mhz: 2680,
    length_mm: 320,
    slots: 3.5,
    tdp_w: 420,
    plugs_8pin: 3,
    plugs_6pin: 0,
    plugs_16pin: 0,
  },
}
const rx9070Pulse: RealPart = {
  kind: 'graphics-card',
  name: 'Sapphire PULSE Radeon RX 9070 XT 16 GB',
  source: 'buildcores/buildcores-open-db open-db/GPU/689f5aea-b1fc-4d0c-9162-568f6e9aeb73.json',
  specs: {
    chip: 'Radeon RX 9070 XT',
    memory_gb: 16,
    memory_type: 'GDDR6',
    boost_mhz: 2970,
    length_mm: 320,
    slots: 3,
    tdp_w: 304,
    plugs_8pin: 2,
    plugs_6pin: 0,
    plugs_16pin: 0,
  },
}
const rx6600Itx: RealPart = {
  kind: 'graphics-card',
  name: 'ASRock Radeon RX 6600 Challenger ITX 8 GB',
  source: 'buildcores/buildcores-open-db open-db/GPU/24db0917-1bd4-4f38-bce1-b976c2cfcb71.json',
  specs: {
    chip: 'Radeon RX 6600',
    memory_gb: 8,
    memory_type: 'GDDR6',
    boost_mhz: 2491,
    length_mm: 179,
    slots: 2,
    tdp_w: 132,
    plugs_8pin: 1,
    plugs_6pin: 0,
    plugs_16pin: 0,
  },
}
const rx5700Pulse: RealPart = {
  kind: 'graphics-card',
  name: 'Sapphire PULSE Radeon RX 5700 XT 8 GB',
  source: 'buildcores/buildcores-open-db open-db/GPU/17412e4b-48ea-4648-9210-b0edbff29846.json',
  specs: {
    chip: 'Radeon RX 5700 XT',
    memory_gb: 8,
    memory_type: 'GDDR6',
    boost_mhz: 1925,
    length_mm: 254,
    slots: 2,
    tdp_w: 225,
    plugs_8pin: 1,
    plugs_6pin: 1,
    plugs_16pin: 0,
  },
}

// Drives

const ssd990: RealPart = {
  kind: 'storage-drive',
  name: 'Samsung 990 PRO 2 TB',
  source: 'buildcores/buildcores-open-db open-db/Storage/18e3b4f5-7f63-4cf9-a266-141344d2cd82.json',
  specs: {
    type: 'SSD',
    capacity_gb: 2000,
    form_factor: 'M.2 2280',
    interface: 'PCIe 4.0',
    cache_mb: 2048,
  },
}
const ssdNv3: RealPart = {
  kind: 'storage-drive',
  name: 'Kingston NV3 1 TB',
  source: 'buildcores/buildcores-open-db open-db/Storage/036ace82-80b8-4408-bde3-359bc999ee80.json',
  specs: { type: 'SSD', capacity_gb: 1000, form_factor: 'M.2 2280', interface: 'PCIe 4.0' },
}
const ssdT705: RealPart = {
  kind: 'storage-drive',
  name: 'Crucial T705 2 TB',
  source: 'buildcores/buildcores-open-db open-db/Storage/37346c4b-bde9-4591-bdbf-463530cff31d.json',
  specs: { type: 'SSD', capacity_gb: 2000, form_factor: 'M.2 2280', interface: 'PCIe 5.0' },
}
const ssdMx500M2: RealPart = {
  kind: 'storage-drive',
  name: 'Crucial MX500 1 TB M.2 (CT1000MX500SSD4)',
  source: 'buildcores/buildcores-open-db open-db/Storage/b3923799-762e-4f66-a8ba-600587b13e7b.json',
  specs: { type: 'SSD', capacity_gb: 1000, form_factor: 'M.2 2280', interface: 'SATA' },
}
const ssd870: RealPart = {
  kind: 'storage-drive',
  name: 'Samsung 870 EVO 1 TB',
  source: 'buildcores/buildcores-open-db open-db/Storage/5bed7f34-c7f3-406e-a58e-e767626a5d60.json',
  specs: { type: 'SSD', capacity_gb: 1000, form_factor: '2.5"', interface: 'SATA' },
}
const ironWolf8: RealPart = {
  kind: 'storage-drive',
  name: 'Seagate IronWolf 8 TB (ST8000VN002)',
  source: 'buildcores/buildcores-open-db open-db/Storage/0da0c94e-c6e1-4bcc-bbb1-268a8807e110.json',
  specs: {
    type: 'Hard drive',
    capacity_gb: 8000,
    form_factor: '3.5"',
    interface: 'SATA',
    rpm: 7200,
  },
}
// Its SAS interface is not an option of the field.
const exosSas: RealPart = {
  kind: 'storage-drive',
  name: 'Seagate Exos 10 TB SAS (ST10000NM0216)',
  source: 'buildcores/buildcores-open-db open-db/Storage/03740959-31f2-48f4-9611-e104b5891c6c.json',
  specs: { type: 'Hard drive', capacity_gb: 10000, form_factor: '3.5"', rpm: 7200 },
}

// Power supplies

const rm750e: RealPart = {
  kind: 'power-supply',
  name: 'Corsair RM750e (2025)',
  source: 'buildcores/buildcores-open-db open-db/PSU/48e491cd-f984-46f9-a1e2-9fe05245cdd2.json',
  specs: {
    wattage_w: 750,
    form_factor: 'ATX',
    efficiency: '80 Plus Gold',
    modular: 'Fully modular',
    length_mm: 140,
    plugs_8pin: 3,
    plugs_16pin: 1,
    eps_plugs: 2,
    sata_plugs: 4,
    fanless: false,
  },
}
const rm850e: RealPart = {
  kind: 'power-supply',
  name: 'Corsair RM850e (2025)',
  source: 'buildcores/buildcores-open-db open-db/PSU/3cb3a850-2b1f-4b75-b205-959244486164.json',
  specs: {
    wattage_w: 850,
    form_factor: 'ATX',
    efficiency: '80 Plus Gold',
    modular: 'Fully modular',
    length_mm: 140,
    plugs_8pin: 2,
    plugs_16pin: 1,
    eps_plugs: 2,
    sata_plugs: 4,
    fanless: false,
  },
}
const rm1000e: RealPart = {
  kind: 'power-supply',
  name: 'Corsair RM1000e (2025)',
  source: 'buildcores/buildcores-open-db open-db/PSU/11449671-8f3c-4239-9bc4-b9b45ea86f9e.json',
  specs: {
    wattage_w: 1000,
    form_factor: 'ATX',
    efficiency: '80 Plus Gold',
    modular: 'Fully modular',
    length_mm: 140,
    plugs_8pin: 6,
    plugs_16pin: 1,
    eps_plugs: 2,
    sata_plugs: 4,
    fanless: false,
  },
}
const rm1000x: RealPart = {
  kind: 'power-supply',
  name: 'Corsair RM1000x (2021)',
  source: 'buildcores/buildcores-open-db open-db/PSU/a3301677-be7d-487a-948a-05edcccaefde.json',
  specs: {
    wattage_w: 1000,
    form_factor: 'ATX',
    efficiency: '80 Plus Gold',
    modular: 'Fully modular',
    length_mm: 180,
    sata_plugs: 14,
    fanless: false,
  },
}
const hx1000i: RealPart = {
  kind: 'power-supply',
  name: 'Corsair HX1000i (2022)',
  source: 'buildcores/buildcores-open-db open-db/PSU/783bbd75-7397-42a0-957b-cfa795022067.json',
  specs: {
    wattage_w: 1000,
    form_factor: 'ATX',
    efficiency: '80 Plus Platinum',
    modular: 'Fully modular',
    length_mm: 180,
    plugs_8pin: 6,
    plugs_16pin: 0,
    eps_plugs: 3,
    sata_plugs: 8,
    fanless: false,
  },
}
const ax1600i: RealPart = {
  kind: 'power-supply',
  name: 'Corsair AX1600i',
  source: 'buildcores/buildcores-open-db open-db/PSU/1e8bc737-88c2-4eb3-834b-caabfdb28f18.json',
  specs: {
    wattage_w: 1600,
    form_factor: 'ATX',
    efficiency: '80 Plus Titanium',
    modular: 'Fully modular',
    length_mm: 200,
    fanless: false,
  },
}
const focus550: RealPart = {
  kind: 'power-supply',
  name: 'Seasonic FOCUS GX-550',
  source: 'buildcores/buildcores-open-db open-db/PSU/4485976a-8503-403e-bab3-16ccd1d789f7.json',
  specs: {
    wattage_w: 550,
    form_factor: 'ATX',
    efficiency: '80 Plus Gold',
    modular: 'Fully modular',
    length_mm: 140,
    plugs_8pin: 2,
    plugs_16pin: 0,
    eps_plugs: 2,
    sata_plugs: 10,
    fanless: false,
  },
}
const focus1000: RealPart = {
  kind: 'power-supply',
  name: 'Seasonic FOCUS GX-1000',
  source: 'buildcores/buildcores-open-db open-db/PSU/4a7f0aca-1b25-45e4-b3f7-b48a1c589d6e.json',
  specs: {
    wattage_w: 1000,
    form_factor: 'ATX',
    efficiency: '80 Plus Gold',
    modular: 'Fully modular',
    length_mm: 140,
    plugs_8pin: 6,
    plugs_16pin: 0,
    eps_plugs: 2,
    sata_plugs: 10,
    fanless: false,
  },
}
const a650bn: RealPart = {
  kind: 'power-supply',
  name: 'MSI MAG A650BN',
  source: 'buildcores/buildcores-open-db open-db/PSU/c567736b-49b3-47c5-b355-22d7d11e5783.json',
  specs: {
    wattage_w: 650,
    form_factor: 'ATX',
    efficiency: '80 Plus Bronze',
    modular: 'Fixed',
    length_mm: 140,
    plugs_8pin: 2,
    plugs_16pin: 0,
    eps_plugs: 1,
    sata_plugs: 5,
    fanless: false,
  },
}
const cx650f: RealPart = {
  kind: 'power-supply',
  name: 'Corsair CX650F RGB',
  source: 'buildcores/buildcores-open-db open-db/PSU/7f8c1f32-6e9c-4314-84d8-36af17b59c1b.json',
  specs: {
    wattage_w: 650,
    form_factor: 'ATX',
    efficiency: '80 Plus Bronze',
    modular: 'Fully modular',
    length_mm: 140,
    plugs_8pin: 4,
    plugs_16pin: 0,
    eps_plugs: 2,
    sata_plugs: 7,
    fanless: false,
  },
}
const cv550: RealPart = {
  kind: 'power-supply',
  name: 'Corsair CV550',
  source: 'buildcores/buildcores-open-db open-db/PSU/45aa8003-6787-4641-9465-1cea15358c97.json',
  specs: {
    wattage_w: 550,
    form_factor: 'ATX',
    efficiency: '80 Plus Bronze',
    modular: 'Fixed',
    length_mm: 125,
    plugs_8pin: 2,
    plugs_16pin: 0,
    eps_plugs: 1,
    sata_plugs: 6,
    fanless: false,
  },
}
const cx450m: RealPart = {
  kind: 'power-supply',
  name: 'Corsair CX450M (2021)',
  source: 'buildcores/buildcores-open-db open-db/PSU/18c0a991-5514-4a6f-921c-f588bb347171.json',
  specs: {
    wattage_w: 450,
    form_factor: 'ATX',
    efficiency: '80 Plus Bronze',
    modular: 'Semi-modular',
    length_mm: 140,
    plugs_8pin: 2,
    plugs_16pin: 0,
    eps_plugs: 1,
    sata_plugs: 4,
    fanless: false,
  },
}
const sf600: RealPart = {
  kind: 'power-supply',
  name: 'Corsair SF600 Platinum (2018)',
  source: 'buildcores/buildcores-open-db open-db/PSU/990d12cc-40b5-4cee-911e-841bc15ec986.json',
  specs: {
    wattage_w: 600,
    form_factor: 'SFX',
    efficiency: '80 Plus Platinum',
    modular: 'Fully modular',
    length_mm: 100,
    plugs_8pin: 2,
    plugs_16pin: 0,
    eps_plugs: 1,
    sata_plugs: 4,
    fanless: false,
  },
}
const sf750: RealPart = {
  kind: 'power-supply',
  name: 'Corsair SF750 Platinum (2018)',
  source: 'buildcores/buildcores-open-db open-db/PSU/18c97bb7-0b1d-412b-9df8-59ba1e1bf0e4.json',
  specs: {
    wattage_w: 750,
    form_factor: 'SFX',
    efficiency: '80 Plus Platinum',
    modular: 'Fully modular',
    length_mm: 100,
    plugs_8pin: 4,
    plugs_16pin: 0,
    eps_plugs: 2,
    sata_plugs: 8,
    fanless: false,
  },
}
const tfx300: RealPart = {
  kind: 'power-supply',
  name: 'GameMax GT-300 TFX',
  source: 'buildcores/buildcores-open-db open-db/PSU/0e920c68-2f9e-465d-8818-ab335feeca84.json',
  specs: {
    wattage_w: 300,
    form_factor: 'TFX',
    efficiency: '80 Plus Bronze',
    modular: 'Fixed',
    length_mm: 175,
    plugs_8pin: 0,
    plugs_16pin: 0,
    eps_plugs: 1,
    sata_plugs: 3,
    fanless: false,
  },
}

// Cases

const north: RealPart = {
  kind: 'case',
  name: 'Fractal Design North TG',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/07dbe228-5151-4bbb-9bb1-ba17a3e940c4.json; radiators and fans: https://techpowerup.com/review/fractal-design-north/4.html (front) and hardwareluxx.de 59997 (top); rear and front 280: fractal-design.com, recalled',
  specs: {
    type: 'Mid tower',
    boards: ['ATX', 'Micro ATX', 'Mini-ITX'],
    card_max_mm: 355,
    cooler_max_mm: 170,
    radiators_mm: ['120', '240', '280', '360'],
    supply_sizes: ['ATX'],
    bays_35: 2,
    bays_25: 2,
    fan_places: 6,
    fan_sizes_mm: ['120', '140'],
    slots: 7,
    side: 'Glass',
    volume_l: 45.1,
  },
}
const airflow4000d: RealPart = {
  kind: 'case',
  name: 'Corsair 4000D Airflow',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/ec96cfae-5081-4cdf-a0ec-48731e0fefa8.json; radiators and fans: corsair.com specification, recalled',
  specs: {
    type: 'Mid tower',
    boards: ['E-ATX', 'ATX', 'Micro ATX', 'Mini-ITX'],
    card_max_mm: 360,
    cooler_max_mm: 170,
    radiators_mm: ['120', '240', '280', '360'],
    supply_sizes: ['ATX'],
    supply_max_mm: 220,
    bays_35: 2,
    fan_places: 6,
    fan_sizes_mm: ['120', '140'],
    plugs_at_back: false,
    slots: 7,
    side: 'Glass',
    volume_l: 48.6,
  },
}
const frame4000d: RealPart = {
  kind: 'case',
  name: 'Corsair FRAME 4000D',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/3cf043a7-3fa1-41c9-a24c-0bbf3f4db1a7.json; fan sizes: https://techpowerup.com/review/corsair-frame-4000d/3.html; radiators: corsair.com specification, recalled',
  specs: {
    type: 'Mid tower',
    boards: ['E-ATX', 'ATX', 'Micro ATX', 'Mini-ITX'],
    card_max_mm: 430,
    cooler_max_mm: 170,
    radiators_mm: ['120', '140', '240', '280', '360'],
    supply_sizes: ['ATX'],
    supply_max_mm: 220,
    bays_35: 2,
    bays_25: 4,
    fan_sizes_mm: ['120', '140', '200'],
    plugs_at_back: true,
    slots: 7,
    side: 'Glass',
    volume_l: 56.7,
  },
}
const h6Flow: RealPart = {
  kind: 'case',
  name: 'NZXT H6 Flow',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/d1c4ea4c-7e63-4086-951c-2a28ee297da7.json; radiators: nzxt.com specification, recalled',
  specs: {
    type: 'Mid tower',
    boards: ['ATX', 'Micro ATX', 'Mini-ITX'],
    card_max_mm: 365,
    cooler_max_mm: 163,
    radiators_mm: ['120', '240', '280', '360'],
    supply_sizes: ['ATX'],
    supply_max_mm: 200,
    bays_35: 1,
    bays_25: 2,
    plugs_at_back: false,
    slots: 7,
    side: 'Glass',
    volume_l: 51.8,
  },
}
const zalmanT7: RealPart = {
  kind: 'case',
  name: 'Zalman T7',
  source: 'buildcores/buildcores-open-db open-db/PCCase/71d9e671-5494-4ede-b0e0-5625804f70a0.json',
  specs: {
    type: 'Mid tower',
    boards: ['ATX', 'Micro ATX', 'Mini-ITX'],
    card_max_mm: 305,
    cooler_max_mm: 150,
    supply_sizes: ['ATX'],
    supply_max_mm: 150,
    bays_35: 2,
    bays_25: 4,
    plugs_at_back: false,
    slots: 7,
    side: 'Acrylic',
    volume_l: 33,
  },
}
const define7: RealPart = {
  kind: 'case',
  name: 'Fractal Design Define 7',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/1dd7ec5b-6b27-4d70-9c7c-6f72384f5e19.json; supply and fans: fractal-design.com specification, recalled',
  specs: {
    type: 'Mid tower',
    boards: ['ATX', 'Micro ATX', 'Mini-ITX'],
    card_max_mm: 467,
    cooler_max_mm: 185,
    supply_sizes: ['ATX'],
    supply_max_mm: 250,
    bays_35: 6,
    bays_25: 2,
    fan_places: 9,
    fan_sizes_mm: ['120', '140'],
    slots: 7,
    side: 'Glass',
    volume_l: 62.4,
  },
}
const o11Evo: RealPart = {
  kind: 'case',
  name: 'Lian Li O11 Dynamic EVO',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/81f0834f-699c-4a14-8528-070fd8326421.json; radiators: lian-li.com specification, recalled',
  specs: {
    type: 'Mid tower',
    boards: ['E-ATX', 'ATX', 'Micro ATX', 'Mini-ITX'],
    card_max_mm: 426,
    cooler_max_mm: 167,
    radiators_mm: ['240', '280', '360'],
    supply_sizes: ['ATX'],
    bays_35: 6,
    bays_25: 3,
    slots: 7,
    side: 'Glass',
  },
}
const o11EvoXl: RealPart = {
  kind: 'case',
  name: 'Lian Li O11 Dynamic EVO XL',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/5e0778d7-48be-4d1d-ad4a-3703a442ec28.json; radiators: lian-li.com specification, recalled',
  specs: {
    type: 'Full tower',
    boards: ['E-ATX', 'ATX', 'Micro ATX', 'Mini-ITX'],
    card_max_mm: 460,
    cooler_max_mm: 167,
    radiators_mm: ['240', '280', '360', '420'],
    supply_sizes: ['ATX'],
    bays_35: 4,
    bays_25: 3,
    slots: 8,
    side: 'Glass',
    volume_l: 84.4,
  },
}
const q300l: RealPart = {
  kind: 'case',
  name: 'Cooler Master MasterBox Q300L',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/14790124-e637-43a5-b47d-4551dd07d040.json; supply size: coolermaster.com specification, recalled',
  specs: {
    type: 'Mini tower',
    boards: ['Micro ATX', 'Mini-ITX'],
    card_max_mm: 360,
    cooler_max_mm: 159,
    supply_sizes: ['ATX'],
    bays_35: 1,
    bays_25: 2,
    slots: 4,
    side: 'Acrylic',
    volume_l: 33.6,
  },
}
const ap201: RealPart = {
  kind: 'case',
  name: 'ASUS Prime AP201',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/54d48e39-7a87-495a-9d11-b07c27477342.json; radiators and supply: asus.com specification, recalled',
  specs: {
    type: 'Mini tower',
    boards: ['Micro ATX', 'Mini-ITX'],
    card_max_mm: 338,
    cooler_max_mm: 170,
    radiators_mm: ['120', '240', '280', '360'],
    supply_sizes: ['ATX'],
    supply_max_mm: 180,
    slots: 4,
    side: 'Mesh',
    volume_l: 33,
  },
}
const nr200pV2: RealPart = {
  kind: 'case',
  name: 'Cooler Master NR200P V2',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/81721d18-7067-4bde-8b98-0f9c8cb25af9.json; radiators: its name and coolermaster.com, recalled',
  specs: {
    type: 'Small form factor',
    boards: ['Mini-ITX'],
    card_max_mm: 357,
    cooler_max_mm: 67,
    radiators_mm: ['120', '240', '280'],
    supply_sizes: ['SFX', 'SFX-L'],
    bays_35: 1,
    bays_25: 2,
    slots: 3,
    side: 'Glass',
    volume_l: 18.3,
  },
}
const nr200p: RealPart = {
  kind: 'case',
  name: 'Cooler Master MasterBox NR200P',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/cae5e2f6-7057-4968-a589-67229c722a42.json; supply sizes: coolermaster.com, recalled',
  specs: {
    type: 'Small form factor',
    boards: ['Mini-ITX'],
    card_max_mm: 330,
    supply_sizes: ['SFX', 'SFX-L'],
    bays_35: 2,
    bays_25: 2,
    slots: 3,
    side: 'Glass',
    volume_l: 18.3,
  },
}
// Cooler and card share the room: 77 mm only with cards up to 43 mm thick (see source).
const terra: RealPart = {
  kind: 'case',
  name: 'Fractal Design Terra',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/1f0f0b1f-d516-41c0-8c89-2f5af703f403.json; https://support.fractal-design.com/support/solutions/articles/4000194849-terra-cpu-cooler-gpu-support; supply sizes: fractal-design.com, recalled',
  specs: {
    type: 'Small form factor',
    boards: ['Mini-ITX'],
    card_max_mm: 322,
    cooler_max_mm: 77,
    supply_sizes: ['SFX', 'SFX-L'],
    bays_35: 0,
    bays_25: 2,
    slots: 2,
    volume_l: 10.4,
  },
}
const node304: RealPart = {
  kind: 'case',
  name: 'Fractal Design Node 304',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/1fd8dd0a-d739-41a1-b278-7bb4b5b70f5c.json; supply: http://www.hardwaresecrets.com/fractal-design-node-304-case-review/3/; fans: fractal-design.com, recalled',
  specs: {
    type: 'Small form factor',
    boards: ['Mini-ITX'],
    card_max_mm: 310,
    cooler_max_mm: 165,
    supply_sizes: ['ATX'],
    supply_max_mm: 160,
    bays_35: 6,
    fan_places: 3,
    fan_sizes_mm: ['92', '140'],
    slots: 2,
    side: 'Solid',
    volume_l: 19.2,
  },
}
const jonsboN2: RealPart = {
  kind: 'case',
  name: 'Jonsbo N2',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/99b404b5-a93a-4833-a9e4-1d187b73d2ba.json; supply size: jonsbo.com, recalled',
  specs: {
    type: 'Small form factor',
    boards: ['Mini-ITX'],
    card_max_mm: 197,
    cooler_max_mm: 65,
    supply_sizes: ['SFX'],
    bays_35: 5,
    bays_25: 1,
    slots: 1,
    side: 'Solid',
    volume_l: 11.1,
  },
}
const sg13: RealPart = {
  kind: 'case',
  name: 'SilverStone SG13',
  source:
    'buildcores/buildcores-open-db open-db/PCCase/377449ff-c468-48aa-a584-af3cd5afc132.json; supply and radiators: silverstonetek.com, recalled',
  specs: {
    type: 'Cube',
    boards: ['Mini-ITX'],
    card_max_mm: 267,
    cooler_max_mm: 61,
    radiators_mm: ['120', '140'],
    supply_sizes: ['ATX'],
    supply_max_mm: 150,
    bays_35: 1,
    bays_25: 1,
    fan_sizes_mm: ['120', '140'],
    slots: 2,
    side: 'Solid',
    volume_l: 11.5,
  },
}

// Coolers: LGA 1151 of both generations share one mounting, so lists of 'LGA 1151' give both.

const intel1151 = ['LGA 1151 (300 series)', 'LGA 1151 (100 and 200 series)']
const mainstream = ['AM4', 'AM5', ...intel1151, 'LGA 1200', 'LGA 1700', 'LGA 1851']

const nhD15: RealPart = {
  kind: 'tower-cooler',
  name: 'Noctua NH-D15',
  source:
    'buildcores/buildcores-open-db open-db/CPUCooler/3bfcf7c5-ae6c-4c84-a94a-57227fd7c7cc.json; memory below: noctua.at specification (32 mm with two fans), recalled',
  specs: {
    sockets: mainstream,
    height_mm: 165,
    memory_below_mm: 32,
    fan_mm: 140,
    rpm: 1500,
    noise_db: 24.6,
  },
}
const nhU12a: RealPart = {
  kind: 'tower-cooler',
  name: 'Noctua NH-U12A',
  source:
    'buildcores/buildcores-open-db open-db/CPUCooler/22bd46b3-8a89-411d-bd5e-a199564db8e9.json',
  specs: { sockets: mainstream, height_mm: 158, fan_mm: 120, rpm: 2000, noise_db: 22.6 },
}
const nhL12sx77: RealPart = {
  kind: 'tower-cooler',
  name: 'Noctua NH-L12Sx77',
  source:
    'buildcores/buildcores-open-db open-db/CPUCooler/372f7a62-d5c5-4a08-a572-835fee0dc5e5.json',
  specs: { sockets: mainstream, height_mm: 77, fan_mm: 120, rpm: 1850, noise_db: 23.9 },
}
// Noctua: AM5 only with the NM-AM5-L9aL9i kit, as the cooler comes with its own AM4 backplate.
const nhL9aAm4: RealPart = {
  kind: 'tower-cooler',
  name: 'Noctua NH-L9a-AM4',
  source:
    'buildcores/buildcores-open-db open-db/CPUCooler/39e8fb87-b8f2-4091-bf1a-5744f48c61b9.json; sockets: noctua.at (AM4 only; OpenDB adds AM5), recalled',
  specs: { sockets: ['AM4'], height_mm: 37, fan_mm: 92, rpm: 2500, noise_db: 23.6 },
}
const peerless: RealPart = {
  kind: 'tower-cooler',
  name: 'Thermalright Peerless Assassin 120 SE V3',
  source:
    'buildcores/buildcores-open-db open-db/CPUCooler/1418de1e-5d91-4338-9188-16b777ebddab.json',
  specs: { sockets: mainstream, height_mm: 155, fan_mm: 120, rpm: 2000, noise_db: 29.8 },
}
const ak620: RealPart = {
  kind: 'tower-cooler',
  name: 'DeepCool AK620 Zero Dark',
  source:
    'buildcores/buildcores-open-db open-db/CPUCooler/158e0b51-f560-46e1-b867-5a6fa20a40ab.json; cools: deepcool.com specification, recalled',
  specs: {
    sockets: mainstream,
    height_mm: 160,
    cools_w: 260,
    fan_mm: 120,
    rpm: 1850,
    noise_db: 28,
  },
}
const pureRock2: RealPart = {
  kind: 'tower-cooler',
  name: 'be quiet! Pure Rock 2',
  source:
    'buildcores/buildcores-open-db open-db/CPUCooler/7b72dbbc-3044-4e7d-86a2-e95adf32c83a.json; cools: bequiet.com specification, recalled',
  specs: {
    sockets: mainstream,
    height_mm: 155,
    cools_w: 150,
    fan_mm: 120,
    rpm: 1500,
    noise_db: 26.8,
  },
}
const darkRockPro4: RealPart = {
  kind: 'tower-cooler',
  name: 'be quiet! Dark Rock Pro 4',
  source:
    'https://www.bequiet.com/de/insidebequiet/26 (memory below); https://www.thefpsreview.com/2022/01/20/cooler-master-haf-500-black-case-review/3/ (250 W); height and sockets: bequiet.com specification, recalled',
  specs: {
    sockets: ['AM4', 'AM5', ...intel1151, 'LGA 1200', 'LGA 1700'],
    height_mm: 162.8,
    cools_w: 250,
    memory_below_mm: 40,
    rpm: 1500,
    noise_db: 24.3,
  },
}
const axp90: RealPart = {
  kind: 'tower-cooler',
  name: 'Thermalright AXP90-X47 Full',
  source:
    'buildcores/buildcores-open-db open-db/CPUCooler/285130e7-af99-4a6c-aef9-cb9d8ffa8d64.json',
  specs: { sockets: mainstream, height_mm: 47, fan_mm: 92, rpm: 2700, noise_db: 22.4 },
}
const freezer360: RealPart = {
  kind: 'liquid-cooler',
  name: 'ARCTIC Liquid Freezer III Pro 360',
  source:
    'buildcores/buildcores-open-db open-db/CPUCooler/acb672ba-0eca-44c2-9b74-57440606761a.json; radiator thickness: arctic.de specification, recalled',
  specs: {
    sockets: ['AM4', 'AM5', 'LGA 1700', 'LGA 1851'],
    radiator_mm: '360',
    radiator_thickness_mm: 38,
    rpm: 3000,
  },
}
const freezer420: RealPart = {
  kind: 'liquid-cooler',
  name: 'ARCTIC Liquid Freezer III Pro 420',
  source:
    'buildcores/buildcores-open-db open-db/CPUCooler/49976229-f86d-4a07-b8d9-d591272fe26e.json; radiator thickness: arctic.de specification, recalled',
  specs: {
    sockets: ['AM4', 'AM5', 'LGA 1700', 'LGA 1851'],
    radiator_mm: '420',
    radiator_thickness_mm: 38,
    rpm: 2500,
  },
}
const krakenX63: RealPart = {
  kind: 'liquid-cooler',
  name: 'NZXT Kraken X63 RGB',
  source:
    'buildcores/buildcores-open-db open-db/CPUCooler/464d79f5-7bc8-4384-bbf2-d36b44924679.json',
  specs: {
    sockets: ['AM4', ...intel1151, 'LGA 1200', 'LGA 1700'],
    radiator_mm: '280',
    rpm: 1500,
    noise_db: 33,
  },
}

// Fans

const p12Max5: RealPart = {
  kind: 'fan',
  name: 'ARCTIC P12 Max, pack of 5',
  source: 'buildcores/buildcores-open-db open-db/CaseFan/3f3f1c03-0c09-422f-ac5d-56cdbb183eb2.json',
  specs: {
    size_mm: 120,
    pwm: true,
    airflow_cfm: 81.04,
    pressure_mmh2o: 4.35,
    pack: 5,
    plug: '4-pin',
    lights: false,
  },
}
const mf200r: RealPart = {
  kind: 'fan',
  name: 'Cooler Master MasterFan MF200R ARGB',
  source: 'buildcores/buildcores-open-db open-db/CaseFan/0769fe3c-bf50-4190-93d8-d46dcac832ca.json',
  specs: {
    size_mm: 200,
    pwm: false,
    airflow_cfm: 90.3,
    pressure_mmh2o: 0.88,
    noise_db: 28,
    pack: 1,
    plug: '3-pin',
    lights: true,
  },
}
const pureWings92: RealPart = {
  kind: 'fan',
  name: 'be quiet! Pure Wings 2 92 mm PWM',
  source: 'buildcores/buildcores-open-db open-db/CaseFan/932c2891-74be-49ad-babe-a303d4f807f8.json',
  specs: {
    size_mm: 92,
    pwm: true,
    airflow_cfm: 33.15,
    pressure_mmh2o: 1.65,
    noise_db: 19.6,
    pack: 1,
    plug: '4-pin',
    lights: false,
  },
}

export const realBuilds: RealBuild[] = [
  // Fits
  {
    name: 'Ryzen 5 7600 with RTX 4070 SUPER in a North',
    parts: [ryzen7600, b650Aorus, flareX5, rtx4070sDual, ssd990, rm750e, north, peerless],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'Ryzen 9 9950X workstation without a card',
    parts: [ryzen9950x, x870Tomahawk, crucialPro, ssdT705, rm1000e, frame4000d, freezer360],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'Core Ultra 7 265K with RTX 5070 Ti in an O11',
    parts: [ultra265k, z890Tomahawk, crucialPro, rtx5070Ti, ssd990, rm850e, o11Evo, freezer360],
    expected: 'fits',
    findings: [],
  },
  {
    // The LGA 1700 mounting fits LGA 1851, though the cooler's list ends at LGA 1700:
    // https://hardwareand.co/actualites/breves/lga-1851-la-compatibilite-des-ventirads-quasiment-assuree
    name: 'LGA 1700 liquid cooler on an LGA 1851 board',
    parts: [ultra245k, b860Prime, krakenX63, ap201],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'Office Core i5-12400 with boxed cooler and 64 GB DDR4',
    parts: [core12400, h610Msi, fury64, ssd870, cx450m, q300l],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'Zen+ on X570',
    parts: [ryzen2600, x570Tuf, lpx16],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'Comet Lake F processor on H410 with a card that needs no plug',
    parts: [core10400f, h410Pro, lpx16, gtx1650, ssd870, cx450m, q300l],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'Rocket Lake on an H410 board by name with a newer chipset',
    parts: [core11400f, h410V3, lpx16],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'Two-drive Node 304 with processor graphics',
    parts: [ryzen7600, b650Itx, flareX5, several(ironWolf8, 2), cx450m, node304, nhU12a],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'Four-drive NAS in a Jonsbo N2',
    parts: [ryzen4600g, a520Itx, lpx16, several(ironWolf8, 4), sf600, jonsboN2],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'Small RX 6600 machine in a Terra',
    parts: [ryzen9600x, x870Itx, flareX5, rx6600Itx, ssd990, sf600, terra, nhL12sx77],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'Threadripper with registered memory',
    parts: [threadripper7960x, trx50, rdimmDdr5],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'ECC UDIMMs on a consumer board that supports them',
    parts: [ryzen7600, b650Hdv, several(eccUdimm, 2)],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'SO-DIMMs on a mini-ITX server board',
    parts: [ryzen3600, x570Rack, several(sodimmDdr4, 2)],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'Back-connect board in a case cut for it',
    parts: [ryzen7600, b650ProjectZero, crucialPro, ssd990, rm750e, frame4000d, peerless],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'E-ATX board in an E-ATX case with a 420 mm radiator',
    parts: [ryzen7950x, x670eGodlike, tridentNeo, hx1000i, o11EvoXl, freezer420],
    expected: 'fits',
    findings: [],
  },
  {
    name: 'Low-profile card in an SG13 with a short ATX supply',
    parts: [core12100, b760Lightning, crucialPro, rtx3050Lp, ssdNv3, cv550, sg13, axp90],
    expected: 'fits',
    findings: [],
  },
  {
    name: '6+8-pin card on a supply with 6+2-pin plugs',
    parts: [rx5700Pulse, cx650f],
    expected: 'fits',
    findings: [],
  },
  {
    name: '92 mm fans in a Node 304',
    parts: [node304, several(pureWings92, 2)],
    expected: 'fits',
    findings: [],
  },

  // Problems
  {
    name: 'Zen on B550 with registered memory',
    parts: [ryzen1600, b550Msi, several(rdimmDdr4, 2)],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [ryzen1600.name, b550Msi.name],
        why: 'B550 boards start with Zen 2; their firmware has no support for first-generation Ryzen.',
      },
      {
        level: 'problem',
        parts: [rdimmDdr4.name, b550Msi.name],
        why: 'The board takes unbuffered modules only, these are registered.',
      },
    ],
  },
  {
    name: 'Zen+ on A520 with four modules and two SSDs',
    parts: [ryzen2600, a520Gigabyte, lpx32x4, ssd990, ssdNv3],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [ryzen2600.name, a520Gigabyte.name],
        why: 'A520 boards do not support Zen+ processors.',
      },
      {
        level: 'problem',
        parts: [lpx32x4.name, a520Gigabyte.name],
        why: 'The kit has four modules, the board has two slots.',
      },
      {
        level: 'problem',
        parts: [ssd990.name, ssdNv3.name, a520Gigabyte.name],
        why: 'Two M.2 drives, but the board has one M.2 slot.',
      },
    ],
  },
  {
    // https://www.pcgamer.com/psa-first-gen-ryzen-processors-are-not-compatible-with-amds-new-x570-chipset/
    name: 'Zen on X570',
    parts: [ryzen1700, x570Tuf, lpx16],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [ryzen1700.name, x570Tuf.name],
        why: 'X570 boards do not support first-generation Ryzen.',
      },
    ],
  },
  {
    // https://pcguia.pt/?p=220777
    name: 'Zen+ processor with graphics on B550',
    parts: [ryzen3200g, b550Msi, lpx16],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [ryzen3200g.name, b550Msi.name],
        why: 'Despite its 3000 number the 3200G is a Zen+ processor, which B550 boards do not support.',
      },
    ],
  },
  {
    // https://www.pcgamer.com/intel-rocket-lake-backwards-compatibility/
    name: 'Rocket Lake on H410',
    parts: [core11700k, h410Pro],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [core11700k.name, h410Pro.name],
        why: 'H410 boards cannot run 11th generation processors.',
      },
    ],
  },
  {
    name: 'Rocket Lake F processor on B460 without a card, with a cooler for newer sockets',
    parts: [core11400f, b460Bazooka, lpx16, ssd870, cx450m, airflow4000d, freezer360],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [core11400f.name, b460Bazooka.name],
        why: 'B460 boards cannot run 11th generation processors.',
      },
      {
        level: 'problem',
        parts: [core11400f.name],
        why: 'The processor has no graphics and there is no card: no picture.',
      },
      {
        level: 'problem',
        parts: [freezer360.name, b460Bazooka.name],
        why: 'The cooler has no mounting for LGA 1200.',
      },
    ],
  },
  {
    name: 'Coffee Lake on a 200 series board',
    parts: [core9900k, z270Tomahawk, lpx16],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [core9900k.name, z270Tomahawk.name],
        why: '9th generation processors need a 300 series board, though the socket looks the same.',
      },
    ],
  },
  {
    name: '13th generation processor on LGA 1851 with DDR4',
    parts: [core13600k, z890Tomahawk, lpx16],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [core13600k.name, z890Tomahawk.name],
        why: 'The processor is for LGA 1700, the board has LGA 1851.',
      },
      {
        level: 'problem',
        parts: [lpx16.name, z890Tomahawk.name],
        why: 'The memory is DDR4, the board takes DDR5.',
      },
    ],
  },
  {
    name: 'DDR5 on the DDR4 variant of a B760 board, F processor without a card',
    parts: [core12400f, b760Ds3h, flareX5, ssdNv3, cx450m, ap201],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [flareX5.name, b760Ds3h.name],
        why: 'The memory is DDR5, this variant of the board takes DDR4.',
      },
      {
        level: 'problem',
        parts: [core12400f.name],
        why: 'The processor has no graphics and there is no card: no picture.',
      },
    ],
  },
  {
    name: 'RTX 5090 GAMING TRIO in a North on 850 W',
    parts: [core14900k, z790Wifi7, crucialPro, rtx5090Trio, ssd990, rm850e, north, freezer360],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [rtx5090Trio.name, north.name],
        why: 'The card is 359 mm long, the case takes 355 mm, and less with a radiator at the front.',
      },
      {
        level: 'problem',
        parts: [rm850e.name, rtx5090Trio.name, core14900k.name],
        why: 'Card (575 W) and processor (253 W) alone can draw 828 W; with the rest of the machine that is more than the 850 W of the supply.',
      },
    ],
  },
  {
    name: 'NH-D15, an E-ATX board and two hard drives in an H6 Flow',
    parts: [ryzen7950x, x670eGodlike, flareX5, several(ironWolf8, 2), rm850e, h6Flow, nhD15],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [nhD15.name, h6Flow.name],
        why: 'The cooler is 165 mm tall, the case takes 163 mm.',
      },
      {
        level: 'problem',
        parts: [x670eGodlike.name, h6Flow.name],
        why: 'The board is E-ATX, the case takes up to ATX.',
      },
      {
        level: 'problem',
        parts: [ironWolf8.name, h6Flow.name],
        why: 'Two 3.5″ drives, but the case has one 3.5″ bay.',
      },
      {
        level: 'warning',
        parts: [nhD15.name, flareX5.name],
        why: 'The memory is 33 mm tall, the cooler leaves 32 mm: its front fan has to sit higher.',
      },
    ],
  },
  {
    name: 'ATX supply, 360 mm radiator and a four-slot card in an NR200P V2',
    parts: [ryzen7800x3d, x870Itx, flareX5, rtx4080Noctua, ssd990, rm850e, nr200pV2, freezer360],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [rm850e.name, nr200pV2.name],
        why: 'The supply is ATX, the case takes SFX and SFX-L.',
      },
      {
        level: 'problem',
        parts: [freezer360.name, nr200pV2.name],
        why: 'The radiator is 360 mm, the case takes up to 280 mm.',
      },
      {
        level: 'problem',
        parts: [rtx4080Noctua.name, nr200pV2.name],
        why: 'The card is 4.3 slots thick, the case has 3 slots.',
      },
    ],
  },
  {
    name: 'Big parts in a compact Zalman T7',
    parts: [ryzen7600, b650Tomahawk, flareX5, rx9070Pulse, ssd990, ax1600i, zalmanT7, peerless],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [ax1600i.name, zalmanT7.name],
        why: 'The supply is 200 mm long, the case takes 150 mm.',
      },
      {
        level: 'problem',
        parts: [peerless.name, zalmanT7.name],
        why: 'The cooler is 155 mm tall, the case takes 150 mm.',
      },
      {
        level: 'problem',
        parts: [rx9070Pulse.name, zalmanT7.name],
        why: 'The card is 320 mm long, the case takes 305 mm.',
      },
      { level: 'unknown', parts: [ax1600i.name], why: 'The plugs of the supply are not stated.' },
    ],
  },
  {
    // https://www.heise.de/news/DIY-APE-Neuer-PC-Trend-versteckt-Mainboard-Anschluesse-7549724.html
    name: 'Back-connect board in an ordinary case',
    parts: [ryzen7600, b650ProjectZero, airflow4000d],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [b650ProjectZero.name, airflow4000d.name],
        why: 'The plugs of the board are on its back, where the case has no openings.',
      },
    ],
  },
  {
    name: 'RX 7900 XTX with three plugs on a small supply',
    parts: [
      ryzen7800x3d,
      x870Tomahawk,
      crucialPro,
      rx7900Nitro,
      ssd990,
      a650bn,
      frame4000d,
      peerless,
    ],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [rx7900Nitro.name, a650bn.name],
        why: 'The card needs three 8-pin plugs, the supply has two.',
      },
      {
        level: 'warning',
        parts: [a650bn.name, rx7900Nitro.name, ryzen7800x3d.name],
        why: 'Card (420 W) and processor (162 W) leave a 650 W supply next to no reserve.',
      },
      {
        level: 'warning',
        parts: [a650bn.name, x870Tomahawk.name],
        why: 'The board has two EPS sockets, the supply one plug; one is enough to run.',
      },
    ],
  },
  {
    name: 'Threadripper with ordinary memory and an ordinary cooler',
    parts: [threadripper7960x, trx50, flareX5, nhD15],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [flareX5.name, trx50.name],
        why: 'The board takes registered modules only, these are unbuffered.',
      },
      {
        level: 'problem',
        parts: [nhD15.name, trx50.name],
        why: 'The cooler has no mounting for sTR5.',
      },
    ],
  },
  {
    name: 'SO-DIMMs and too many drives on a small A620 board',
    parts: [ryzen7600, a620Itx, several(sodimmDdr5, 2), several(ironWolf8, 4), cx450m, node304],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [sodimmDdr5.name, a620Itx.name],
        why: 'The memory is SO-DIMM, the board takes DIMM.',
      },
      {
        level: 'problem',
        parts: [ironWolf8.name, a620Itx.name],
        why: 'Four SATA drives, but the board has two SATA ports.',
      },
    ],
  },
  {
    name: '128 GB on a board for 96 GB',
    parts: [core13600k, b760Itx, tridentNeo128],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [tridentNeo128.name, b760Itx.name],
        why: 'The kit has 128 GB, the board takes up to 96 GB.',
      },
    ],
  },
  {
    name: '420 mm radiator and 200 mm fan in a North',
    parts: [north, freezer420, mf200r],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [freezer420.name, north.name],
        why: 'The radiator is 420 mm, the case takes up to 360 mm.',
      },
      {
        level: 'problem',
        parts: [mf200r.name, north.name],
        why: 'The fan is 200 mm, the case takes 120 and 140 mm fans.',
      },
    ],
  },
  {
    name: 'Ryzen 7 9800X3D without any cooler',
    parts: [ryzen9800x3d, x870Tomahawk, crucialPro, rx9070Pulse, ssd990, rm850e, frame4000d],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [ryzen9800x3d.name],
        why: 'The processor comes without a cooler and the build has none.',
      },
    ],
  },
  {
    name: 'AM4-only cooler on AM5',
    parts: [ryzen7600, a620Itx, nhL9aAm4],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [nhL9aAm4.name, a620Itx.name],
        why: 'The cooler mounts on AM4 only; AM5 needs an extra kit.',
      },
    ],
  },
  {
    name: 'Tallest cooler and thick card together in a Terra',
    parts: [x870Itx, rx9070Pulse, terra, nhL12sx77],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [nhL12sx77.name, rx9070Pulse.name, terra.name],
        why: 'Each fits alone, but the case divides its width: a 77 mm cooler leaves 43 mm for the card, and a three-slot card is thicker.',
      },
    ],
  },
  {
    name: 'ATX board and TFX supply in a Q300L',
    parts: [core14900k, z790Wifi7, crucialPro, tfx300, q300l, ak620],
    expected: 'problem',
    findings: [
      {
        level: 'problem',
        parts: [z790Wifi7.name, q300l.name],
        why: 'The board is ATX, the case takes up to Micro ATX.',
      },
      {
        level: 'problem',
        parts: [tfx300.name, q300l.name],
        why: 'The supply is TFX, the case takes ATX.',
      },
      {
        level: 'problem',
        parts: [ak620.name, q300l.name],
        why: 'The cooler is 160 mm tall, the case takes 159 mm.',
      },
      {
        level: 'warning',
        parts: [tfx300.name, core14900k.name],
        why: 'The processor alone can draw 253 of the 300 W.',
      },
      {
        level: 'warning',
        parts: [tfx300.name, z790Wifi7.name],
        why: 'The board has two EPS sockets, the supply one plug.',
      },
    ],
  },

  // Warnings
  {
    // https://www.purepc.pl/plyty-glowne-asrock-x370-oficjalnie-obsluguja-procesory-amd-ryzen-5000-wystarczy-wgrac-najnowszy-bios
    name: 'Zen 3 on X370',
    parts: [ryzen5800x3d, x370Pro, lpx16],
    expected: 'fits',
    findings: [
      {
        level: 'note',
        parts: [ryzen5800x3d.name, x370Pro.name],
        why: 'X370 boards run Zen 3 only with late firmware; without it the machine does not start.',
      },
    ],
  },
  {
    name: 'Zen 3 on B450 without flashing',
    parts: [ryzen5600, b450Aorus, lpx16],
    expected: 'fits',
    findings: [
      {
        level: 'note',
        parts: [ryzen5600.name, b450Aorus.name],
        why: 'The board needs a firmware update for Zen 3 and cannot be flashed without a processor.',
      },
    ],
  },
  {
    name: 'Rocket Lake on Z490',
    parts: [core11700k, z490Prime, lpx16],
    expected: 'fits',
    findings: [
      {
        level: 'note',
        parts: [core11700k.name, z490Prime.name],
        why: 'Z490 boards need a firmware update for 11th generation processors.',
      },
    ],
  },
  {
    name: 'Core i9-14900K under a Pure Rock 2, one EPS plug',
    parts: [core14900k, z790Wifi7, crucialPro, ssd990, a650bn, airflow4000d, pureRock2],
    expected: 'warning',
    findings: [
      {
        level: 'warning',
        parts: [pureRock2.name, core14900k.name],
        why: 'The cooler is rated for 150 W, the processor draws up to 253 W.',
      },
      {
        level: 'warning',
        parts: [a650bn.name, z790Wifi7.name],
        why: 'The board has two EPS sockets, the supply one plug; one is enough to run.',
      },
    ],
  },
  {
    name: 'RTX 3080 on 550 W with low memory under a big cooler',
    parts: [ryzen5800x3d, b550Msi, lpx16, rtx3080Ventus, ssdNv3, focus550, airflow4000d, nhD15],
    expected: 'warning',
    findings: [
      {
        level: 'warning',
        parts: [focus550.name, rtx3080Ventus.name, ryzen5800x3d.name],
        why: 'Card (320 W) and processor (142 W) leave a 550 W supply little reserve for peaks; NVIDIA asks for 750 W.',
      },
      {
        level: 'warning',
        parts: [nhD15.name, lpx16.name],
        why: 'The memory is 33.5 mm tall, the cooler leaves 32 mm: its front fan has to sit higher.',
      },
      {
        level: 'warning',
        parts: [ryzen5800x3d.name, b550Msi.name],
        why: 'Boards from before 2022 need a firmware update for this processor; this one can be flashed without a processor.',
      },
    ],
  },
  {
    name: 'RTX 5090 and Core i9-14900K on 1000 W without a 16-pin plug',
    parts: [
      core14900k,
      z790Wifi7,
      crucialPro,
      rtx5090Fe,
      ssd990,
      focus1000,
      frame4000d,
      freezer360,
    ],
    expected: 'warning',
    findings: [
      {
        level: 'warning',
        parts: [rtx5090Fe.name, focus1000.name],
        why: 'The card has a 16-pin socket, the supply has only 8-pin plugs: it runs with the adapter that comes with the card.',
      },
      {
        level: 'warning',
        parts: [focus1000.name, rtx5090Fe.name, core14900k.name],
        why: 'Card (575 W) and processor (253 W) leave a 1000 W supply little reserve.',
      },
    ],
  },
  {
    name: 'RTX 4090 in a 4000D with a radiator at the front and an older supply',
    parts: [
      ryzen7800x3d,
      x870Tomahawk,
      crucialPro,
      rtx4090Strix,
      ssd990,
      hx1000i,
      airflow4000d,
      freezer360,
    ],
    expected: 'warning',
    findings: [
      {
        level: 'warning',
        parts: [rtx4090Strix.name, hx1000i.name],
        why: 'The card has a 16-pin socket, the supply has only 8-pin plugs: it runs with the adapter that comes with the card.',
      },
      {
        level: 'warning',
        parts: [rtx4090Strix.name, freezer360.name, airflow4000d.name],
        why: 'The card leaves 2 of the 360 mm, but a 360 mm radiator goes at the front, where it takes room from the card.',
      },
    ],
  },
  {
    name: 'Tall memory under a Dark Rock Pro 4',
    parts: [ryzen7950x, x670eHero, tridentNeo, darkRockPro4],
    expected: 'warning',
    findings: [
      {
        level: 'warning',
        parts: [tridentNeo.name, darkRockPro4.name],
        why: 'The memory is 44 mm tall, the cooler leaves 40 mm: its front fan has to sit higher.',
      },
    ],
  },
  {
    name: 'Five fans on a board with three headers',
    parts: [ryzen3600, a520Gigabyte, lpx16, p12Max5, ap201],
    expected: 'warning',
    findings: [
      {
        level: 'warning',
        parts: [p12Max5.name, a520Gigabyte.name],
        why: 'Five fans and the cooler of the processor need six headers, the board has three: splitters or a hub are needed.',
      },
    ],
  },
  {
    name: 'Two DDR4-3600 kits together, SFX supply in an ATX case',
    parts: [ryzen3600, b550Msi, several(ripjaws32, 2), rx6600Itx, ssdNv3, sf750, airflow4000d],
    expected: 'warning',
    findings: [
      {
        level: 'warning',
        parts: [ripjaws32.name],
        why: 'Two kits are not tested together; four modules may not reach 3600 MT/s.',
      },
      {
        level: 'warning',
        parts: [sf750.name, airflow4000d.name],
        why: 'The supply is SFX, the case takes ATX: it needs an adapter frame, and its cables are short.',
      },
    ],
  },
  {
    name: 'ECC memory on a board without ECC',
    parts: [core13600k, b760Tuf, several(eccUdimm, 2)],
    expected: 'warning',
    findings: [
      {
        level: 'warning',
        parts: [eccUdimm.name, b760Tuf.name],
        why: 'The modules run, but the board does not use their ECC.',
      },
    ],
  },
  {
    name: 'Four large DDR5 modules, six drives on four SATA plugs',
    parts: [ryzen7950x, x670eHero, vengeance192, several(ironWolf8, 6), rm1000e, define7, ak620],
    expected: 'warning',
    findings: [
      {
        level: 'warning',
        parts: [vengeance192.name, x670eHero.name],
        why: 'Four DDR5 modules run well below 5200 MT/s on AM5.',
      },
      {
        level: 'warning',
        parts: [ironWolf8.name, rm1000e.name],
        why: 'Six SATA drives, but the supply has four SATA plugs: adapters are needed.',
      },
    ],
  },

  // Unknown
  {
    name: 'Three-plug card on a supply without stated plugs',
    parts: [rx7900Nitro, rm1000x],
    expected: 'unknown',
    findings: [
      {
        level: 'unknown',
        parts: [rx7900Nitro.name, rm1000x.name],
        why: 'The card needs three 8-pin plugs; how many the supply has is not stated.',
      },
    ],
  },
  {
    name: '360 mm radiator in a case without stated radiators',
    parts: [freezer360, zalmanT7],
    expected: 'unknown',
    findings: [
      {
        level: 'unknown',
        parts: [freezer360.name, zalmanT7.name],
        why: 'Which radiators the case takes is not stated.',
      },
    ],
  },
  {
    name: 'NH-U12A in an NR200P',
    parts: [ryzen9600x, x870Itx, nr200p, nhU12a],
    expected: 'unknown',
    findings: [
      {
        level: 'unknown',
        parts: [nhU12a.name, nr200p.name],
        why: 'How tall a cooler the case takes is not stated.',
      },
    ],
  },
  {
    name: 'Back-connect board in a case that does not state openings for it',
    parts: [x870eBtf, o11Evo],
    expected: 'unknown',
    findings: [
      {
        level: 'unknown',
        parts: [x870eBtf.name, o11Evo.name],
        why: 'The plugs of the board are on its back; whether the case has openings for them is not stated.',
      },
    ],
  },
  {
    // No field says whether an M.2 slot takes SATA drives; MSI lists PCIe only for this board.
    name: 'SATA drive in an M.2 slot and a SAS drive',
    parts: [ryzen7600, b650Tomahawk, flareX5, ssdMx500M2, exosSas],
    expected: 'unknown',
    findings: [
      {
        level: 'unknown',
        parts: [ssdMx500M2.name, b650Tomahawk.name],
        why: 'The drive is M.2 with SATA; whether an M.2 slot of the board takes SATA drives is not stated.',
      },
      {
        level: 'unknown',
        parts: [exosSas.name, b650Tomahawk.name],
        why: 'The interface of the drive is not stated; as a SAS drive it does not run on the SATA ports.',
      },
    ],
  },
  {
    name: 'Memory without stated height under an NH-D15',
    parts: [ryzen3600, b550Msi, fury64, nhD15],
    expected: 'unknown',
    findings: [
      {
        level: 'unknown',
        parts: [fury64.name, nhD15.name],
        why: 'The cooler leaves 32 mm for memory; how tall the memory is, is not stated.',
      },
    ],
  },
]
