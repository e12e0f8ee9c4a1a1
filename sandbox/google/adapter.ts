import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import type { Pool } from 'pg'

/** Where the provider keeps its sessions, codes and tokens: one table, so that any process can go on with any flow. */
export function artifacts(pool: Pool): AdapterFactory {
  return (model) => artifactsOf(pool, model)
}

function artifactsOf(pool: Pool, model: string): Adapter {
  const findBy = async (condition: string, value: string) => {
    const { rows } = await pool.query<{ payload: AdapterPayload }>(
      `select payload from sandbox_google.artifacts
        where model = $1 and ${condition} = $2 and (expires_at is null or expires_at > now())`,
      [model, value],
    )
    return rows[0]?.payload
  }
  return {
    find: (id) => findBy('id', id),
    findByUid: (uid) => findBy("payload->>'uid'", uid),
    findByUserCode: (code) => findBy("payload->>'userCode'", code),
    async upsert(id, payload, expiresIn) {
      await pool.query(
        `insert into sandbox_google.artifacts (model, id, payload, expires_at)
          values ($1, $2, $3, now() + make_interval(secs => $4))
          on conflict (model, id) do update
            set payload = excluded.payload, expires_at = excluded.expires_at`,
        [model, id, JSON.stringify(payload), expiresIn ?? null],
      )
    },
    async consume(id) {
      await pool.query(
        `update sandbox_google.artifacts
          set payload = payload || jsonb_build_object('consumed', floor(extract(epoch from now())))
          where model = $1 and id = $2`,
        [model, id],
      )
    },
    async destroy(id) {
      await pool.query('delete from sandbox_google.artifacts where model = $1 and id = $2', [
        model,
        id,
      ])
    },
    async revokeByGrantId(grantId) {
      await pool.query("delete from sandbox_google.artifacts where payload->>'grantId' = $1", [
        grantId,
      ])
    },
  }
}
