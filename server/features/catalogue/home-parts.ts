import { asc, eq, ne, sql } from 'drizzle-orm'
import type { HomePart, HomeParts, KindTile } from '#contracts/part-lists.ts'
import { slidePlaces } from '#contracts/slides.ts'
import type { Queryable } from '#server/database/client.ts'
import { kinds } from '#server/database/schema/kinds.ts'
import { isOnSale, parts, pictures } from '#server/database/schema/parts.ts'
import { homeSlides } from '#server/database/schema/texts.ts'
import { findBestSeller } from './best-seller.ts'
import { cardColumns } from './store.ts'

/** The parts on the home page: the others are a link away. */
const firstShown = 12

const deskKinds = ['keyboard', 'mouse']

/** The first part of each kind that can be booked now, in the owner's order. */
const firstOfKinds = sql`
  select _id, kind from (
    select distinct on (kind) _id, kind, position from ${parts}
    where ${isOnSale} and on_hand - reserved >= minimum_order_quantity order by kind, position) firsts
  order by position`

/**
 * Picks the parts for the banner's slides, all of different kinds: the first two that can be
 * booked, then preferably a keyboard or a mouse.
 */
async function featuredIds(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ _id: string; kind: string }>(firstOfKinds)
  const [one, two, ...others] = rows
  const third = others.find(({ kind }) => deskKinds.includes(kind)) ?? others[0]
  return [one, two, third].flatMap((part) => part?._id ?? [])
}

const partsOf = (db: Queryable) => db.select(cardColumns).from(parts).$dynamic()

async function byId(db: Queryable, id: string): Promise<HomePart[]> {
  return partsOf(db).where(eq(parts._id, id))
}

/** The owner's own slides, each with what is known of its picture. */
async function readSlides(db: Queryable): Promise<HomeParts['slides']> {
  const rows = await db
    .select({
      place: homeSlides.place,
      slide: {
        title: homeSlides.title,
        text: homeSlides.text,
        linkText: homeSlides.linkText,
        link: homeSlides.link,
        image: sql<string>`coalesce(${homeSlides.image}, '')`,
      },
      picture: { width: pictures.width, height: pictures.height },
    })
    .from(homeSlides)
    .leftJoin(pictures, eq(pictures.url, homeSlides.image))
    .where(ne(homeSlides.title, ''))
  return slidePlaces.map((place) => {
    const row = rows.find((each) => each.place === place)
    return row ? { ...row.slide, picture: row.picture } : null
  })
}

/** Reads what the home page shows, which is bounded however many parts the shop has. */
export async function readHomeParts(db: Queryable): Promise<HomeParts> {
  const some = await partsOf(db).where(isOnSale).orderBy(asc(parts.position)).limit(firstShown)
  const { rows: counted } = await db.execute<KindTile>(sql`
    select k.name, k.slug, k.drawing, count(*)::int as count from ${parts} join ${kinds} k on k.name = ${parts}.kind
    where ${isOnSale} group by k.slug, k.name, k.drawing, k.position order by k.position`)
  const best = await findBestSeller(db)
  const featured: HomePart[] = []
  for (const id of await featuredIds(db)) featured.push(...(await byId(db, id)))
  return {
    parts: some,
    total: counted.reduce((sum, { count }) => sum + count, 0),
    kinds: counted,
    slides: await readSlides(db),
    featured,
    bestSeller: (best && (await byId(db, best._id))[0]) || null,
    hasSold: best?.hasSold ?? false,
  }
}
