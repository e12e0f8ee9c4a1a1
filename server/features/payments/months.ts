/** What each month adds up to, for an accountant: tax, money and card fees. */
import { type SQL, sql } from 'drizzle-orm'
import type { PaymentSpan } from '#contracts/lists.ts'
import type { Currency } from '#contracts/money.ts'
import { percent } from '#contracts/tax.ts'
import type { Queryable } from '#server/database/client.ts'
import { within } from '#server/database/shop-days.ts'
import type { Columns } from '#server/http/lists.ts'
import { feeCell, sources } from './csv.ts'

/**
 * A line of a month. `sales`: invoices less credit notes, of a place and a tax rate. `money`:
 * payments less refunds. `card fees`: those of a currency. Amounts are in cents, null where the line
 * is about something else.
 */
type MonthLine = {
  /** Its place in the list. */
  _id: number
  month: string
  type: 'sales' | 'money' | 'card fees'
  country: string
  region: string
  taxName: string
  /** In thousandths of a per cent. */
  taxRate: number | null
  net: number | null
  tax: number | null
  gross: number | null
  fee: number | null
  feeCurrency: string | null
}

const monthOf = (at: SQL) => sql`to_char(${at} at time zone shop_zone(), 'YYYY-MM')`

// a tax that prices include is that of the whole paper; one that is added is that of each line
const sales = (days: PaymentSpan) => sql`
  select ${monthOf(sql`i.issued_at`)} as month, 'sales' as type,
    coalesce(d -> 'destination' ->> 'country', '') as country,
    coalesce(d -> 'destination' ->> 'region', '') as region,
    case d ->> 'taxMode' when 'none' then '' else d ->> 'taxName' end as "taxName",
    case d ->> 'taxMode' when 'none' then null else rate end as "taxRate",
    sum(sign * net) as net, sum(sign * line_tax) as tax, sum(sign * (net + line_tax)) as gross,
    null::bigint as fee, null as "feeCurrency"
  from (select *, document as d, case series when 'I' then 1 else -1 end as sign from invoices) i
    cross join lateral (
      select (d ->> 'taxRate')::int as rate, total_cents - tax_cents as net, tax_cents as line_tax
      where d ->> 'taxMode' = 'included'
      union all
      select coalesce(line ->> 'taxRate', d ->> 'taxRate')::int, ((line ->> 'total')::numeric * 100)::int,
        ((line ->> 'tax')::numeric * 100)::int
      from jsonb_array_elements(d -> 'lines') line where d ->> 'taxMode' <> 'included') lines
  where ${within(sql`i.issued_at`, days)}
  group by 1, 2, 3, 4, 5, 6`

function ofMovements(days: PaymentSpan): SQL {
  const moves = sources.map(
    ({ at, columns, from }) =>
      sql`select ${monthOf(at)} as month, ${columns} from ${from}
        where ${at} is not null and ${within(at, days)}`,
  )
  return sql.join(moves, sql` union all `)
}

const otherColumns = sql`'' as country, '' as region, '' as "taxName", null::int as "taxRate",
  null::bigint as net, null::bigint as tax`

/**
 * Lists what each month adds up to, the oldest first.
 * @param after the `_id` of the last line of the page before
 */
export async function listMonths(
  db: Queryable,
  { limit, after, ...days }: PaymentSpan & { limit: number; after: string | undefined },
): Promise<MonthLine[]> {
  const { rows } = await db.execute<MonthLine>(sql`
    with moves as (${ofMovements(days)}), months as (
      ${sales(days)}
      union all
      select month, 'money', ${otherColumns}, sum(cents), null, null from moves
      where cents is not null group by month
      union all
      select month, 'card fees', ${otherColumns}, null, sum(fee), "feeCurrency" from moves
      where fee is not null group by month, "feeCurrency"),
    numbered as (
      select row_number() over (order by month, type desc, country, region, "taxName", "taxRate", "feeCurrency")::int as _id,
        month, type, country, region, "taxName", "taxRate", net::float8, tax::float8, gross::float8, fee::float8, "feeCurrency"
      from months)
    select * from numbered where _id > ${Number(after ?? 0)} order by _id limit ${limit}`)
  return rows
}

const cell = (cents: number | null) => (cents === null ? null : { cents })

/** One line for each thing that a month adds up to. */
export const monthColumns =
  (currency: Currency) =>
  (_timeZone: string): Columns<MonthLine> => ({
    Month: ({ month }) => month,
    Type: ({ type }) => type,
    Country: ({ country }) => country,
    Region: ({ region }) => region,
    Tax: ({ taxName, taxRate }) => (taxRate === null ? '' : `${taxName} ${percent(taxRate)}`),
    Currency: ({ feeCurrency }) => feeCurrency ?? currency,
    Net: ({ net }) => cell(net),
    'Tax amount': ({ tax }) => cell(tax),
    Gross: ({ gross }) => cell(gross),
    'Card fees': feeCell,
  })
