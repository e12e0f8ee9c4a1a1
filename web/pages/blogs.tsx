import { Link } from 'react-router'
import { NotFound } from '#web/components/error-page.tsx'
import { questions } from '#web/content/questions.tsx'
import { isHidden } from '#web/content/site-pages.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useShop } from '#web/lib/use-shop.ts'

export const meta = titled('Blogs', 'Five questions about React and JavaScript, answered.')

export { clientLoader, loader } from './hidden.ts'

export default function BlogsPage() {
  if (isHidden('/blogs', useShop().facts)) return <NotFound />
  return (
    <div className="column py-12 md:py-16">
      <h1 className="max-w-[18ch] text-4xl font-bold tracking-tight md:text-5xl">
        These are some basics of reactJS
      </h1>
      <div className="mt-12 grid gap-12 lg:grid-cols-[14rem_1fr]">
        <nav aria-label="Questions" className="self-start lg:sticky lg:top-28">
          <ol className="grid border-t border-line">
            {questions.map(({ id, question }) => (
              <li key={id} className="border-b border-line">
                <Link to={`#${id}`} className="block py-3 hover:text-copper">
                  {question}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <div className="grid min-w-0 gap-14">
          {questions.map(({ id, question, answer }) => (
            <article key={id} id={id} className="min-w-0">
              <h2 className="max-w-[30ch] text-3xl font-semibold tracking-tight">{question}</h2>
              <div className="prose mt-5">{answer}</div>
            </article>
          ))}
        </div>
      </div>
    </div>
  )
}
