/** How a supplier's file is read: what is remembered of its supplier, or what its columns suggest. */
import { folded, type Kind } from '#contracts/kinds.ts'
import {
  counted,
  type ImportFile,
  type ImportPlan,
  pictureAddress,
  specColumn,
} from '#contracts/parts-csv.ts'
import { decimalsOf } from './numbers.ts'
import { ownColumns, type Table } from './read-file.ts'

/** Other names of columns, by column, the surest first. German ones too: its distributors are many. */
const spellings: Record<string, string> = {
  sku: 'sku|article number|article no|article|item number|item no|item code|product code|product id|stock code|order number|artikelnummer|artikel nr|artnr|art nr|bestellnummer',
  mpn: 'mpn|manufacturer part number|manufacturers part number|manufacturer number|manufacturer sku|mfr part number|mfr part no|mfg part number|mfpn|part number|part no|partnumber|pn|model number|vendor part number|herstellernummer|hersteller nr|hersteller artikelnummer|herstellerartikelnummer|hersteller art nr',
  gtin: 'ean|gtin|upc|barcode|ean code|ean13|ean upc|ean gtin|gtin ean|bar code',
  name: 'name|product name|product|title|item name|description short|short description|item description|article name|model|bezeichnung|artikelbezeichnung|produktname|artikelname|produkt|kurztext',
  brand:
    'brand|manufacturer|maker|vendor|manufacturer name|brand name|hersteller|marke|herstellername',
  kind: 'kind|category|product group|group|product type|product category|category name|subcategory|type|kategorie|warengruppe|produktgruppe|artikelgruppe',
  description:
    'description|long description|product description|details|text|marketing text|html description|description long|beschreibung|langtext|artikelbeschreibung|produktbeschreibung',
  cost: 'cost|dealer price|net price|your price|purchase price|buying price|wholesale price|cost price|reseller price|price net|unit cost|ek|hek|ek netto|einkaufspreis|nettopreis|händlerpreis|haendlerpreis',
  price:
    'price|retail price|rrp|srp|msrp|list price|sales price|recommended retail price|unit price|vk|uvp|verkaufspreis|listenpreis|preis',
  [counted]:
    'stock|quantity|qty|on hand|stock quantity|inventory|available|availability|stock level|qty available|units|bestand|lagerbestand|menge|verfügbar|lager|stück|anzahl',
  minimumOrderQuantity:
    'minimum order quantity|moq|min order|minimum quantity|min qty|mindestmenge',
}

/** A header without what stands in brackets, such as a unit or a currency. */
const bare = (name: string) => folded(name.replaceAll(/[([][^)\]]*[)\]]/g, ''))
const withoutCurrency = (name: string) => bare(name).replace(/(usd|eur|us\$|\$|€)$/, '')

/** The column that a header most surely names, of those that no other header names better. */
function fieldOf(name: string): { column: string; rank: number } | undefined {
  const written = name.replaceAll(/\b(no|nr|num)\b\.?/gi, 'number')
  const spelled = [name, written].flatMap((each) => [
    folded(each),
    bare(each),
    withoutCurrency(each),
  ])
  const found = Object.entries(spellings).flatMap(([column, all]) => {
    const rank = all.split('|').findIndex((each) => spelled.includes(folded(each)))
    return rank < 0 ? [] : [{ column, rank }]
  })
  return found.toSorted((a, b) => a.rank - b.rank)[0]
}

/** The key of the field that a header names, of the kind that comes first. */
function keyOf(name: string, kinds: Kind[]): string | undefined {
  const spelled = [folded(name), bare(name)]
  const fields = kinds.flatMap((kind) => kind.fields)
  const found = fields.find(({ key, label, unit }) =>
    [key, label, `${label} ${unit}`].some((each) => spelled.includes(folded(each))),
  )
  // 'Wattage' is the key of a field that is labelled Power
  const byKey = fields.find(({ key }) => spelled.includes(folded(key.replace(/_[a-z]+$/, ''))))
  return (found ?? byKey)?.key
}

const samplesOf = ({ lines }: Table, i: number, most = 80): string[] => {
  const texts = lines.slice(0, 200).map(({ cells }) => String(cells[i] ?? '').trim())
  return [...new Set(texts.filter(Boolean))].slice(0, 3).map((text) => text.slice(0, most))
}

/** Whether a column holds addresses of pictures: suppliers have several such, and others of pages. */
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
  const taken = new Set<string>()
  const once = (column: string | undefined) => {
    if (!column || taken.has(column)) return ''
    taken.add(column)
    return column
  }
  return Object.fromEntries(
    names.map((name, i) => {
      if (namesPictures(table, i)) return [name, pictureAddress]
      const field = fields[i]
      const key = keyOf(name, kinds)
      // 'Type' is a field of several kinds, and of some files the kind
      if (field && field.rank === best(field.column) && !(key && field.rank > 5))
        return [name, once(field.column)]
      if (name.startsWith('spec:')) return [name, once(name)]
      return [name, once(key && specColumn(key))]
    }),
  )
}

const numeric = ['price', 'cost']

/** A plan that the columns suggest. */
export function suggestPlan(table: Table, kinds: Kind[]): ImportPlan {
  const columns = columnsOf(table, kinds)
  const mapped = Object.values(columns)
  const texts = table.names.flatMap((name, i) =>
    numeric.includes(columns[name] ?? '')
      ? table.lines.flatMap(({ cells }) => (typeof cells[i] === 'string' ? [cells[i]] : []))
      : [],
  )
  const hasPrice = mapped.includes('price')
  return {
    columns,
    decimals: decimalsOf(texts),
    price: hasPrice
      ? { from: 'price', factor: 1, round: 'nearest' }
      : { from: 'cost', factor: 1.25, round: 'nine' },
    kind: '',
    kinds: {},
    newParts: 'on sale',
    known: 'everything',
    unreadable: 'leave out',
  }
}

/** Whether a supplier's plan knows the columns of this file. New columns may have come; those it reads are there. */
export function fits({ columns }: ImportPlan, { names }: Table): boolean {
  const read = Object.entries(columns).filter(([, column]) => column !== '')
  return (
    read.length > 1 &&
    read.every(([name]) => names.includes(name)) &&
    names.filter((name) => name in columns).length >= 0.8 * names.length
  )
}

/** What an admin is shown of a supplier's file. */
export const describeFile = (
  table: Table,
  plan: ImportPlan,
  supplier: string | null,
  unknownKinds: string[],
): ImportFile => ({
  columns: table.names.map((name, i) => ({ name, samples: samplesOf(table, i) })),
  unknownKinds,
  supplier,
  plan,
})
