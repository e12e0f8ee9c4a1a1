import { sql } from 'drizzle-orm'
import type { Database } from '#server/database/client.ts'

/**
 * The job that updates the vocabulary for corrections: the words of parts on sale, and those that
 * the owner explains. If nothing was edited since this process's last run, it only computes a sum;
 * bookings do not change words.
 */
export function vocabularyRefresher({ db }: { db: Database }): () => Promise<void> {
  let lastVersion: string | undefined
  return async () => {
    const { rows } = await db.execute<{ version: string }>(sql`
      select concat((select sum(changes) from catalogue_changes where part_id is null), ' ',
        (select md5(string_agg(word, ' ' order by word)) from search_words)) as version`)
    const version = rows[0]?.version
    if (version === lastVersion) return
    // `ts_stat` takes its query as text
    await db.execute(sql`
      with made as (
        select word, max(parts)::int as parts from (
          select word, ndoc as parts from ts_stat('select words from part_index where is_on_sale', 'ABC')
          union all select word, 1 from search_words where means <> '{}') every_word
        where word ~ '^[[:alpha:]]{4,40}$' group by word),
      gone as (delete from search_vocabulary v where not exists (select from made where made.word = v.word))
      insert into search_vocabulary as v select * from made
      on conflict (word) do update set parts = excluded.parts where v.parts <> excluded.parts`)
    lastVersion = version
  }
}
