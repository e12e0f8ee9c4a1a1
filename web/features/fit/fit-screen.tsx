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
function LackLine({ lack }: { lack: Lacking }) {
  const { kind, kindName, says, key: field, parts, first } = lack
  if (field === null) {
    return (
      <li>
        <b className="font-semibold">
          {kindName}, {says}:
        </b>{' '}
        no field stands for it, of {counted(parts, 'product')}.{' '}
        <Link to={editorOf(kind)} className={link}>
          Choose a field<span className="sr-only"> of {kindName}</span>
        </Link>
      </li>
    )
  }
  const list = new URLSearchParams({ kind, misses: field, state: 'in-shop' })
  const more = parts - first.length
  return (
    <li>
      <b className="font-semibold">
        {kindName}, {says}:
      </b>{' '}
      <Link to={`/dashboard/manageProducts?${list}`} className={link}>
        {counted(parts, 'product does', 'products do')} not state it
        <span className="sr-only">
          : {says}, {kindName}
        </span>
      </Link>
      <span className="block text-dim text-sm">
        Edit{' '}
        {first.map(({ _id, name }, at) => (
          <span key={_id}>
            {at > 0 && (more === 0 && at === first.length - 1 ? ' or ' : ', ')}
            <Link to={`/dashboard/products/${_id}`} className={link}>
              {name}
            </Link>
          </span>
        ))}
        {more > 0 && `, and ${whole(more)} more in the list`}
      </span>
    </li>
  )
}

function RuleLine({ rule: { id, name, says, level, lacking } }: { rule: DeskRule }) {
  const { words, look } = levels[level]
  return (
    <li className="grid gap-x-8 gap-y-1 border-line border-b py-3 @2xl:grid-cols-[17rem_minmax(0,1fr)]">
      <div>
        <h3 className="font-semibold">{name}</h3>
        <p className={`text-sm ${look}`}>{words}</p>
      </div>
      <div className="min-w-0 wrap-anywhere">
        <p className="text-pretty text-dim text-sm">“{says}”</p>
        {lacking.length > 0 && (
          <ul aria-label={`What ${name} lacks`} className="mt-2 grid gap-2">
            {lacking.map((lack) => (
              <LackLine key={`${id} ${lack.kind} ${lack.field}`} lack={lack} />
            ))}
          </ul>
        )}
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
    <Section id="kinds" title="Kinds">
      {own.length > 0 && (
        <ul className="mt-3 border-line border-t" aria-label="Your kinds that take part">
          {own.map(({ slug, name, parts, as }) => (
            <li key={slug} className="border-line border-b py-2 wrap-anywhere">
              <Link to={editorOf(slug)} className={`${link} font-semibold`}>
                {name}
              </Link>{' '}
              <span className="text-dim">
                is {as} for the rules,{' '}
                {parts === 0 ? 'no product on sale' : `${counted(parts, 'product')} on sale`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <>
          <p className="mt-3 max-w-[68ch] text-pretty text-dim">
            The rules know nothing of these. A kind takes part once one of its fields is, ‘for the
            rules of fit’, one that they read.
          </p>
          <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-1" aria-label="Kinds that take no part">
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

function Desk({ desk: { parts, rules, own, others } }: { desk: FitDesk }) {
  const gaps = rules.filter(({ lacking }) => lacking.length > 0)
  return (
    <>
      {parts === 0 ? (
        <EmptyState
          title="No products that the rules know"
          action={<ButtonLink to="/dashboard/addProduct">Add a product</ButtonLink>}
        >
          Once there are processors, boards or cases on sale, you see here what they do not state.
        </EmptyState>
      ) : (
        <p
          role="status"
          className="mt-6 font-display font-semibold text-2xl tracking-tight text-pretty"
        >
          {gaps.length === 0
            ? 'Your products state all that the rules read'
            : `${counted(gaps.length, 'rule lacks', 'rules lack')} something`}
        </p>
      )}
      <Rules
        id="gaps"
        title="Something is missing"
        text="A customer who combines these products reads ‘not enough data’ until it is stated."
        rules={gaps}
      />
      <Rules
        id="whole"
        title="Nothing is missing"
        text="Every product on sale states what these rules read."
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
        By these rules the shop tells customers whether products go together in one PC. They compare
        what products state in the fields of their kind; what is not stated is never guessed. A
        problem does not stop anybody from buying.
      </p>
      {!data && !error && <Skeleton className="mt-8 h-96" />}
      {!data && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => void refetch()} retrying={isFetching} />
      )}
      {data && <Desk desk={data} />}
    </section>
  )
}
