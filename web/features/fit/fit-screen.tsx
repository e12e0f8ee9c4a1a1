import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { counted, whole } from '#contracts/counted.ts'
import type { DeskRule, FitDesk, Lacking } from '#contracts/fit-desk.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { fitDeskQuery } from './queries.ts'

export const meta = titled('Fit')

const levels: Record<DeskRule['level'], { words: string; look: string }> = {
  problem: { words: 'problem', look: 'text-danger' },
  warning: { words: 'warning', look: 'text-amber' },
  note: { words: 'note', look: 'text-dim' },
  unknown: { words: 'not enough data', look: 'text-dim' },
}

const link = 'link inline-block min-h-6'
const editorOf = (slug: string) => `/dashboard/kinds/${encodeURIComponent(slug)}`

/** The parts of a kind that lack a field: the first by name, and the list of all. */
function LackLine({ lack, field }: { lack: Lacking; field: string }) {
  const { kind, kindName, says, parts, first } = lack
  const list = new URLSearchParams({ kind, misses: field, state: 'in-shop' })
  return (
    <li>
      <b className="inline-block font-semibold first-letter:uppercase">
        {kindName}, {says}:
      </b>{' '}
      <Link to={`/dashboard/manageProducts?${list}`} className={link}>
        missing for {counted(parts, 'product')}
        <span className="sr-only">
          : {says}, {kindName}
        </span>
      </Link>
      <span className="flex flex-wrap items-baseline gap-x-3 text-dim text-sm">
        Edit
        {first.map(({ _id, name }) => (
          <Link key={_id} to={`/dashboard/products/${_id}`} className={link}>
            {name}
          </Link>
        ))}
        {parts > first.length && `and ${whole(parts - first.length)} more`}
      </span>
    </li>
  )
}

/** A kind without fields for what the rule reads. */
function FieldlessLine({ lacks }: { lacks: [Lacking, ...Lacking[]] }) {
  const [{ kind, kindName, parts }] = lacks
  return (
    <li>
      <b className="inline-block font-semibold first-letter:uppercase">{kindName}:</b> no field for{' '}
      {lacks.map(({ says }) => says).join(', ')}; affects {counted(parts, 'product')}.{' '}
      <Link to={editorOf(kind)} className={link}>
        Choose one<span className="sr-only"> for {kindName}</span>
      </Link>
    </li>
  )
}

function Lacks({ rule: { name, lacking } }: { rule: DeskRule }) {
  if (lacking.length === 0) return null
  const fieldless = Map.groupBy(
    lacking.filter(({ key }) => key === null),
    ({ kind }) => kind,
  )
  return (
    <ul aria-label={`What’s missing for ${name}`} className="mt-2 grid gap-2">
      {lacking.map(
        (lack) =>
          lack.key && <LackLine key={`${lack.kind} ${lack.key}`} lack={lack} field={lack.key} />,
      )}
      {[...fieldless].map(([kind, [first, ...rest]]) =>
        first ? <FieldlessLine key={kind} lacks={[first, ...rest]} /> : null,
      )}
    </ul>
  )
}

function RuleLine({ rule }: { rule: DeskRule }) {
  const { words, look } = levels[rule.level]
  return (
    <li className="grid gap-x-6 gap-y-1 border-line border-b py-3 @2xl:grid-cols-[14rem_7.5rem_minmax(0,1fr)]">
      <h3 className="font-semibold">{rule.name}</h3>
      <p className={`text-sm/6 ${look}`}>{words}</p>
      <div className="min-w-0 wrap-anywhere">
        <p className="text-pretty text-dim text-sm/6">“{rule.says}”</p>
        <Lacks rule={rule} />
      </div>
    </li>
  )
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="font-display font-semibold text-xl tracking-tight">
        {title}
      </h2>
      {children}
    </section>
  )
}

type RulesProps = { id: string; title: string; text: string; rules: DeskRule[] }

function Rules({ id, title, text, rules }: RulesProps) {
  if (rules.length === 0) return null
  return (
    <Section id={id} title={title}>
      <p className="mt-1 max-w-[68ch] text-pretty text-dim text-sm">{text}</p>
      <ul className="mt-3 border-line border-t">
        {rules.map((rule) => (
          <RuleLine key={rule.id} rule={rule} />
        ))}
      </ul>
    </Section>
  )
}

/** The owner's kinds that take part, and the kinds with parts that do not. */
function Kinds({ own, others }: Pick<FitDesk, 'own' | 'others'>) {
  if (own.length + others.length === 0) return null
  return (
    <Section id="kinds" title="Categories">
      {own.length > 0 && (
        <ul className="mt-3 border-line border-t" aria-label="Your categories covered by the rules">
          {own.map(({ slug, name, parts, as }) => (
            <li key={slug} className="border-line border-b py-2 wrap-anywhere">
              <Link to={editorOf(slug)} className={`${link} font-semibold`}>
                {name}
              </Link>{' '}
              <span className="text-dim">
                counts as a {as},{' '}
                {parts === 0 ? 'no product on sale' : `${counted(parts, 'product')} on sale`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <>
          <p className="mt-3 max-w-[68ch] text-pretty text-dim">
            The rules don’t cover these. To include a category, choose what one of its fields means
            under ‘In fit checks, this is’.
          </p>
          <ul
            className="mt-2 flex flex-wrap gap-x-5 gap-y-1"
            aria-label="Categories the rules don’t cover"
          >
            {others.map(({ slug, name, parts }) => (
              <li key={slug}>
                <Link to={editorOf(slug)} className={link}>
                  {name}
                </Link>{' '}
                <span className="text-dim text-sm">{whole(parts)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

function NoParts() {
  return (
    <EmptyState
      title="No products to check yet"
      action={<ButtonLink to="/dashboard/addProduct">Add a product</ButtonLink>}
    >
      Once you sell processors, boards or cases, you’ll see here what their specifications are
      missing.
    </EmptyState>
  )
}

function Desk({ desk: { parts, rules, own, others } }: { desk: FitDesk }) {
  const gaps = rules.filter(({ lacking }) => lacking.length > 0)
  const isWhole = parts > 0 && gaps.length === 0
  return (
    <>
      {parts === 0 && <NoParts />}
      <Rules
        id="gaps"
        title={counted(gaps.length, 'rule is missing data', 'rules are missing data')}
        text="Until you fill this in, customers who combine these products see ‘not enough data’."
        rules={gaps}
      />
      <Rules
        id="whole"
        title={isWhole ? 'Your products have everything the rules need' : 'Nothing is missing'}
        text="Every product on sale has the data these rules need."
        rules={rules.filter(({ lacking }) => lacking.length === 0)}
      />
      <Kinds own={own} others={others} />
    </>
  )
}

/** The rules of what fits together, and the products that do not state what they read. */
export default function FitScreen() {
  const { data, error, refetch, isFetching } = useQuery(fitDeskQuery)
  const leaving = useSignedOutUnlessAdmin(error)
  return (
    <section aria-labelledby="fit" className="@container min-h-svh">
      <h1 id="fit" tabIndex={-1} className="text-4xl font-bold tracking-tight">
        Fit
      </h1>
      <p className="mt-2 max-w-[68ch] text-pretty text-dim">
        These rules tell customers whether products work together in one PC. They compare the
        specifications of your products and never guess what’s missing. A problem doesn’t stop
        anyone from buying.
      </p>
      {!data && !error && <Skeleton className="mt-8 h-96" />}
      {!data && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => void refetch()} retrying={isFetching} />
      )}
      {data && <Desk desk={data} />}
    </section>
  )
}
