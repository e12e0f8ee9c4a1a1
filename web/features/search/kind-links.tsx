import { Link } from 'react-router'
import { whole } from '#contracts/counted.ts'
import type { KindTile } from '#contracts/part-lists.ts'
import { plural } from '#contracts/plural.ts'
import { Picture } from '#web/components/picture.tsx'

/** Each kind with its number of parts. */
export function KindLinks({ kinds, params }: { kinds: KindTile[]; params?: URLSearchParams }) {
  const query = params && params.size > 0 ? `?${params}` : ''
  return (
    <ul className={params ? 'kind-row' : 'kind-tiles'}>
      {kinds.map(({ name, slug, drawing, count }) => (
        <li key={slug}>
          <Link
            to={`/parts/${encodeURIComponent(slug)}${query}`}
            rel={params && 'nofollow'}
            className={params ? 'chip' : 'card kind-tile'}
          >
            {!params && <Picture src={drawing} alt="" sizes="80px" />}
            <span className="kind">{params ? name : plural(name)}</span>{' '}
            <span className="count">{whole(count)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
