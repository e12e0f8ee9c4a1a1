/** The plan to read a supplier's file: the saved one, or a suggestion from its columns. */
import { comparable, isUnit, type Kind } from '#contracts/kinds.ts'
import {
  columnOf,
  countedColumn,
  type ImportFile,
  type ImportPlan,
  pictureAddress,
  specColumn,
} from '#contracts/parts-csv.ts'
import { decimalsOf } from './parse-numbers.ts'
import { ownColumns, type Table } from './read-table.ts'

/**
 * Other names of columns, by column, the most certain first. Includes German names, because many
 * distributors are German.
 */
const spellings: Record<string, string> = {
  sku: 'sku|article number|article no|article|item number|item no|item code|product code|product id|stock code|order number|artikelnummer|artikel nr|artnr|art nr|bestellnummer',
  mpn: 'mpn|manufacturer part number|manufacturers part number|manufacturer number|manufacturer sku|mfr part number|mfr part no|mfg part number|mfpn|part number|part no|partnumber|pn|model number|vendor part number|herstellernummer|hersteller nr|hersteller artikelnummer|herstellerartikelnummer|hersteller artikelnr|hersteller art nr|herst art nr|herst artikelnr|herst nr|herst teilenummer|teilenummer',
  gtin: 'ean|gtin|upc|barcode|ean code|ean13|ean upc|ean gtin|gtin ean|bar code',
  name: 'name|product name|product|title|item name|description short|short description|item description|article name|model|bezeichnung|artikelbezeichnung|produktname|artikelname|produkt|kurztext',
  brand:
    'brand|manufacturer|maker|vendor|manufacturer name|brand name|hersteller|marke|herstellername',
  kind: 'kind|category|product group|group|product type|product category|category name|subcategory|type|kategorie|warengruppe|produktgruppe|artikelgruppe',
  description:
    'description|long description|product description|details|text|marketing text|html description|description long|beschreibung|langtext|artikelbeschreibung|produktbeschreibung',
  cost: 'cost|dealer price|net price|your price|purchase price|buying price|wholesale price|cost price|reseller price|price net|unit cost|ek|hek|ek netto|hek netto|ek preis|netto ek|händler ek|einkaufspreis|nettopreis|netto preis|preis netto|händlerpreis|haendlerpreis',
  price:
    'price|retail price|rrp|srp|msrp|list price|sales price|recommended retail price|unit price|vk|uvp|uvp brutto|uvp inkl mwst|vk preis|vk brutto|verkaufspreis|bruttopreis|listenpreis|preis',
  [countedColumn]:
    'stock|quantity|qty|on hand|stock quantity|inventory|available|availability|stock level|qty available|units|bestand|lagerbestand|menge|verfügbar|lager|stück|anzahl',
  weightG:
    'shipping weight|gross weight|packed weight|package weight|bruttogewicht|gewicht brutto|versandgewicht|gewicht inkl verpackung',
  minimumOrderQuantity:
    'minimum order quantity|moq|min order|minimum quantity|min qty|mindestmenge',
}

/** Other names of fields of kinds. Keys and labels take precedence. */
const fieldSpellings: Record<string, string> = {
  length_mm: 'länge|kartenlänge|baulänge',
  height_mm: 'höhe|bauhöhe',
  weight_g: 'net weight|gewicht|nettogewicht|gewicht netto|artikelgewicht',
  wattage_w: 'leistung|nennleistung|gesamtleistung',
  colour: 'color|farbe',
  memory_gb: 'grafikspeicher|videospeicher|vram',
  capacity_gb: 'kapazität|speicherkapazität|speichergröße',
  socket: 'sockel|cpu sockel|prozessorsockel',
  cores: 'kerne|anzahl kerne|cpu kerne',
  form_factor: 'formfaktor|bauform',
  chipset: 'chipsatz',
  interface: 'schnittstelle',
  efficiency: 'effizienz|zertifizierung|80 plus',
  noise_db: 'lautstärke|geräuschpegel',
  rpm: 'drehzahl',
  size_in: 'bildschirmdiagonale|diagonale',
  resolution: 'auflösung',
  refresh_hz: 'bildwiederholrate|bildwiederholfrequenz',
  connection: 'anschluss|verbindung',
}

/** Other names of the built-in kinds. */
const kindSpellings: Record<string, string> = {
  processor: 'prozessor|prozessoren',
  'graphics card': 'grafikkarte|grafikkarten',
  motherboard: 'hauptplatine|hauptplatinen',
  'memory module': 'arbeitsspeicher|speichermodul|speichermodule',
  'storage drive':
    'festplatte|festplatten|massenspeicher|ssd intern|ssds intern|interne ssd|interne ssds|hdd intern|festplatte intern|festplatten intern|interne festplatte|interne festplatten',
  'power supply': 'netzteil|netzteile|pc netzteile',
  case: 'gehäuse|pc gehäuse',
  'tower cooler': 'kühler|luftkühler|cpu kühler|prozessorkühler',
  'liquid cooler': 'wasserkühlung|wasserkühlungen',
  fan: 'lüfter|gehäuselüfter',
  monitor: 'monitore|bildschirm|bildschirme',
  keyboard: 'tastatur|tastaturen',
  mouse: 'maus|mäuse',
  'thermal paste': 'wärmeleitpaste|wärmeleitpasten',
  'network card': 'netzwerkkarte|netzwerkkarten',
  'sound card': 'soundkarte|soundkarten',
  speaker: 'lautsprecher',
  UPS: 'usv|usv anlagen',
  'external drive':
    'externe festplatte|externe festplatten|festplatten extern|externe ssd|externe ssds|ssd extern',
}

const isAmong = (all: string, spelled: string[]) =>
  all.split('|').some((each) => spelled.includes(comparable(each)))

/** A header without its text in brackets, such as a unit or a currency. */
const bare = (name: string) => comparable(name.replaceAll(/[([][^)\]]*[)\]]/g, ''))
/**
 * Finds the unit at the end of a header: 'Gewicht (kg)', 'Weight in kg'. Undefined without a unit.
 */
function unitAtEnd(name: string): { unit: string; rest: string } | undefined {
  const [, rest = '', bracketed, bare] =
    /^(.*?)\s*(?:[([]\s*([^()[\]]{1,8}?)\s*[)\]]|\s(?:in\s)?(\p{L}{1,4}))\s*$/u.exec(name) ?? []
  const unit = bracketed ?? bare ?? ''
  return isUnit(unit) ? { unit, rest } : undefined
}

/**
 * Finds the unit in the headers of the columns that the plan maps to a field; undefined without a
 * unit.
 */
export const unitOfColumn = ({ columns }: ImportPlan, column: string): string | undefined =>
  Object.keys(columns)
    .filter((name) => columnOf(columns, name) === column)
    .map((name) => unitAtEnd(name)?.unit)
    .find((unit) => unit !== undefined)
/** Removes points, which mark abbreviations such as 'Artikelnr.' and 'Art.-Nr.', not separators. */
const withoutPoints = (name: string) => comparable(name.replaceAll('.', ''))
const withoutCurrency = (name: string) => bare(name).replace(/(usd|eur|gbp|chf|us\$|[$€£])$/, '')

/**
 * Finds the column that a header most likely means, and the rank of that spelling; 0 is the most
 * certain.
 */
function fieldOf(name: string): { column: string; rank: number } | undefined {
  const written = name.replaceAll(/\b(no|nr|num)\b\.?/gi, 'number')
  const spelled = [name, written].flatMap((each) => [
    comparable(each),
    bare(each),
    withoutPoints(each),
    withoutCurrency(each),
  ])
  const candidates = Object.entries(spellings).flatMap(([column, all]) => {
    const rank = all.split('|').findIndex((each) => spelled.includes(comparable(each)))
    return rank < 0 ? [] : [{ column, rank }]
  })
  return candidates.toSorted((a, b) => a.rank - b.rank)[0]
}

/** Finds the key of the field that a header means, in the first kind that has such a field. */
function keyOf(name: string, kinds: Kind[]): string | undefined {
  const spelled = [comparable(name), bare(name), comparable(unitAtEnd(name)?.rest ?? name)]
  const fields = kinds.flatMap((kind) => kind.fields)
  const byName = fields.find(({ key, label, unit }) =>
    [key, label, `${label} ${unit}`].some((each) => spelled.includes(comparable(each))),
  )
  // a header may match the key: the field 'Power' has the key `wattage_w`
  const byKey = fields.find(({ key }) => spelled.includes(comparable(key.replace(/_[a-z]+$/, ''))))
  const bySpelling = fields.find(({ key }) => isAmong(fieldSpellings[key] ?? '', spelled))
  return (byName ?? byKey ?? bySpelling)?.key
}

const samplesOf = ({ lines }: Table, i: number, max = 80): string[] => {
  const texts = lines.slice(0, 200).map(({ cells }) => String(cells[i] ?? '').trim())
  return [...new Set(texts.filter(Boolean))].slice(0, 3).map((text) => text.slice(0, max))
}

/**
 * Whether a column contains addresses of pictures. Files may have several such columns, and others
 * with addresses of web pages.
 */
function namesPictures(table: Table, i: number): boolean {
  const samples = samplesOf(table, i, 2000)
  const isNamedSo = /picture|image|photo|bild|foto|thumb|^img/i.test(table.names[i] ?? '')
  const address = isNamedSo ? /^https?:\/\/\S/i : /^https?:\/\/\S+\.(jpe?g|png|webp)\b/i
  return samples.length > 0 && samples.every((sample) => address.test(sample))
}

function columnsOf(table: Table, kinds: Kind[]): ImportPlan['columns'] {
  const { names } = table
  const fields = names.map((name) =>
    ownColumns.includes(name) ? { column: name, rank: -1 } : fieldOf(name),
  )
  const best = (column: string) =>
    Math.min(
      ...fields.map((each) => (each?.column === column ? each.rank : Number.POSITIVE_INFINITY)),
    )
  const usedColumns = new Set<string>()
  const once = (column: string | undefined) => {
    if (!column || usedColumns.has(column)) return ''
    usedColumns.add(column)
    return column
  }
  return Object.fromEntries(
    names.map((name, i) => {
      if (namesPictures(table, i)) return [name, pictureAddress]
      const field = fields[i]
      const key = keyOf(name, kinds)
      // 'Type' is a field of several kinds, but the column of kinds in some files
      if (field && field.rank === best(field.column) && !(key && field.rank > 5))
        return [name, once(field.column)]
      if (name.startsWith('spec:')) return [name, once(name)]
      return [name, once(key && specColumn(key))]
    }),
  )
}

/** Maps texts of the file to kinds that have other names in the shop. */
function kindsOf({ names, lines }: Table, columns: ImportPlan['columns'], kinds: Kind[]) {
  const i = names.findIndex((name) => columnOf(columns, name) === 'kind')
  const texts = new Set(lines.map(({ cells }) => String(cells[i] ?? '').trim()))
  const builtin = kinds.filter(({ name }) => name in kindSpellings)
  const named = [...texts].flatMap((text) => {
    const last = text.split(/[>|/»]/).at(-1) ?? ''
    const kind = builtin.find(({ name }) => isAmong(kindSpellings[name] ?? '', [comparable(last)]))
    return kind ? [[text, kind.name] as const] : []
  })
  return Object.fromEntries(named)
}

const numeric = ['price', 'cost']

/** Suggests a plan from the columns. */
export function suggestPlan(table: Table, kinds: Kind[]): ImportPlan {
  const columns = columnsOf(table, kinds)
  const mapped = Object.values(columns)
  const texts = table.names.flatMap((name, i) =>
    numeric.includes(columnOf(columns, name) ?? '')
      ? table.lines.flatMap(({ cells }) => (typeof cells[i] === 'string' ? [cells[i]] : []))
      : [],
  )
  const hasPrice = mapped.includes('price')
  return {
    columns,
    decimals: decimalsOf(texts),
    price: hasPrice
      ? { from: 'price', factor: 1, round: 'cent' }
      : { from: 'cost', factor: 1.25, round: 'nine' },
    kind: '',
    kinds: kindsOf(table, columns, kinds),
    newParts: 'on sale',
    known: 'everything',
    unreadable: 'leave out',
  }
}

/**
 * Whether a supplier's plan fits this file: the file has all columns that the plan reads, and few
 * others.
 */
export function fits({ columns }: ImportPlan, { names }: Table): boolean {
  const read = Object.entries(columns).filter(([, column]) => column !== '')
  return (
    read.length > 1 &&
    read.every(([name]) => names.includes(name)) &&
    names.filter((name) => name in columns).length >= 0.8 * names.length
  )
}

/** A supplier's file as the import screen shows it. */
export const describeFile = (
  table: Table,
  plan: ImportPlan,
  supplier: string | null,
): Omit<ImportFile, 'unknownKinds'> => ({
  columns: table.names.map((name, i) => ({ name, samples: samplesOf(table, i) })),
  supplier,
  plan,
})
