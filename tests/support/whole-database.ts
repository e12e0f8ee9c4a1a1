import pg from 'pg'

/** Every row of every table of a shop's database, as text and sorted, and the migrations it had: equal for equal shops. */
export async function wholeDatabase(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema', 'drizzle') and table_type = 'BASE TABLE'`,
    )
    const whole: Record<string, string[]> = {}
    for (const { name } of tables) {
      const { rows } = await client.query(`select t::text as row from ${name} t order by 1`)
      whole[name] = rows.map(({ row }) => row)
    }
    const applied = 'select hash from drizzle.__drizzle_migrations order by created_at'
    whole.migrations = (await client.query(applied)).rows.map(({ hash }) => hash)
    return whole
  } finally {
    await client.end()
  }
}
