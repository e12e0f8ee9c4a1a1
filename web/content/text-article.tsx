import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Section } from './text-page.ts'

type Props = {
  group: string
  title: string
  lead: string
  sections: Section[]
  /** The path of this page, and the pages of its group. */
  path: string
  siblings: { to: string; text: string }[]
  /** What follows the text. */
  children?: ReactNode
}

/** A page of plain text, with the other pages of its group beside it. */
export function TextArticle({ group, title, lead, sections, path, siblings, children }: Props) {
  return (
    <article className="column py-12 md:py-16">
      <p className="font-mono text-sm text-copper">{group}</p>
      <h1 className="mt-3 text-4xl font-bold tracking-tight md:text-5xl">{title}</h1>
      <p className="mt-5 max-w-[44ch] text-xl text-dim">{lead}</p>
      <div className="mt-12 grid gap-12 lg:grid-cols-[14rem_1fr]">
        <div className="min-w-0 lg:order-last">
          {sections.map(({ heading, body }) => (
            <section key={heading} className="border-line border-t py-7">
              {heading && (
                <h2 className="font-semibold text-[1.75rem]/[1.2] tracking-tight">{heading}</h2>
              )}
              <div className="prose mt-3 max-w-[60ch] text-[1.0625rem] [&_a]:text-copper [&_a]:underline [&_a]:underline-offset-3">
                {body}
              </div>
            </section>
          ))}
          {children}
        </div>
        <nav aria-label={group} className="self-start lg:sticky lg:top-28">
          <ul className="border-line border-t">
            {siblings.map(({ to, text }) => (
              <li key={to} className="border-line border-b">
                <Link
                  to={to}
                  className="block py-3 hover:text-copper aria-[current=page]:text-copper"
                  aria-current={to === path ? 'page' : undefined}
                >
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </article>
  )
}
