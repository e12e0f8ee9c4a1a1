/** The tables of the shop's database, read from PostgreSQL's catalogue. */
import type { Client } from 'pg'

/** The shop's own schemas and its card sandbox's. Migrations create their own schema. */
export const schemas = ['public', 'identity', 'sandbox_stripe']

export type Column = { name: string; type: string }
export type Table = { schema: string; name: string; columns: Column[] }
export type Named = { schema: string; name: string }

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
/** A name as SQL writes it. */
export const sqlName = ({ schema, name }: Named): string => `${quoted(schema)}.${quoted(name)}`
export const columnList = (columns: { name: string }[]): string =>
  columns.map(({ name }) => quoted(name)).join(', ')

/** All tables of the shop with their stored columns, without generated columns. */
export async function ownTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name,
       (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
          from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = any($1) and not exists (
       select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
     order by 1, 2`,
    [schemas],
  )
  return rows
}

/**
 * The value of each used sequence. Sequences ignore snapshots, so a later reading can only be
 * higher.
 */
export async function ownSequences(client: Client): Promise<(Named & { last: string })[]> {
  const { rows } = await client.query(
    `select schemaname as schema, sequencename as name, last_value::text as last from pg_sequences
     where schemaname = any($1) and last_value is not null order by 1, 2`,
    [schemas],
  )
  return rows
}

/** Sorts tables so that a foreign key's target comes before the table that refers to it. */
export async function parentsFirst<T extends Named>(client: Client, tables: T[]): Promise<T[]> {
  const { rows } = await client.query<{ child: string; parent: string }>(
    `select cn.nspname || '.' || c.relname as child, pn.nspname || '.' || p.relname as parent
     from pg_constraint k
       join pg_class c on c.oid = k.conrelid join pg_namespace cn on cn.oid = c.relnamespace
       join pg_class p on p.oid = k.confrelid join pg_namespace pn on pn.oid = p.relnamespace
     where k.contype = 'f' and k.conrelid <> k.confrelid`,
  )
  const plain = ({ schema, name }: Named) => `${schema}.${name}`
  const parents = Map.groupBy(rows, ({ child }) => child)
  const byName = new Map(tables.map((table) => [plain(table), table]))
  const ordered = new Set<T>()
  const visit = (table: T, path: string[]) => {
    const name = plain(table)
    if (ordered.has(table)) return
    if (path.includes(name)) throw new Error(`foreign keys in a circle: ${[...path, name]}`)
    for (const { parent } of parents.get(name) ?? []) {
      const above = byName.get(parent)
      if (above) visit(above, [...path, name])
    }
    ordered.add(table)
  }
  for (const table of tables) visit(table, [])
  return [...ordered]
}
