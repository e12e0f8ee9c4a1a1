import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { splitValues, valueSeparator } from '#contracts/kinds.ts'
import { ByWord, type MissedSearch, WordMeanings } from '#contracts/search.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { useExplainWord, wordsQuery } from '#web/features/catalogue/admin-queries.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'

export const meta = titled('Words')

const Explained = z.object({
  word: ByWord.shape.word,
  means: z.string().transform(splitValues).pipe(WordMeanings.shape.means),
})

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

const missedText = ({ asked, lastDay, found }: MissedSearch) =>
  `asked ${times(asked)}, last on ${lastDay}; ${found === 0 ? 'nothing was shown' : `${found} others shown`}`

type RowProps = { words: string; text: string; children: ReactNode }

function Row({ words, text, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-line border-b py-2">
      <p className="min-w-0 wrap-anywhere">
        <b className="font-semibold">{words}</b> <span className="text-dim">{text}</span>
      </p>
      <span className="flex gap-2">{children}</span>
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

type MissedProps = { missed: MissedSearch[]; onExplain: (words: string) => void }

function Missed({ missed, onExplain }: MissedProps) {
  return (
    <Section id="missed" title="Searched and not found">
      <p className="mt-1 max-w-[68ch] text-pretty text-dim text-sm">
        {missed.length === 0
          ? 'Every search of the last 90 days found what it asked for.'
          : 'From the last 90 days; who searched is not recorded. Say what a word means, and the next one finds it.'}
      </p>
      <ul className="mt-3 border-line border-t">
        {missed.map((search) => (
          <Row key={search.words} words={search.words} text={missedText(search)}>
            <RowButton
              aria-label={`Explain: ${search.words}`}
              onClick={() => onExplain(search.words)}
            >
              Explain
            </RowButton>
          </Row>
        ))}
      </ul>
    </Section>
  )
}

function Words() {
  const { data, error, refetch, isFetching } = useQuery(wordsQuery)
  useSignedOutUnlessAdmin(error)
  const explain = useExplainWord()
  const { register, handleSubmit, reset, setFocus, setValue, formState } = useForm({
    resolver: zodResolver(Explained),
    defaultValues: { word: '', means: '' },
  })
  const edit = (word: string, means: string[] = []) => {
    // not reset(), which unregisters the fields until they are rendered: none could be focused
    setValue('word', word)
    setValue('means', means.join(valueSeparator))
    setFocus('means')
  }
  if (!data) {
    if (!error) return <Skeleton className="mt-6 h-96" />
    return (
      <ErrorState message={error.message} retrying={isFetching} onRetry={() => void refetch()} />
    )
  }
  return (
    <>
      <Form
        className="card mt-6 grid gap-x-4 px-5 pt-4 @xl:grid-cols-[14rem_minmax(0,1fr)_auto]"
        aria-label="Explain a word"
        onSubmit={handleSubmit((typed) => explain.mutate(typed, { onSuccess: () => reset() }))}
      >
        <Field
          label="Word"
          autoComplete="off"
          required
          {...register('word')}
          error={formState.errors.word?.message}
        />
        <Field
          label="Means, with | between"
          autoComplete="off"
          {...register('means')}
          error={formState.errors.means?.message}
        />
        <Button
          type="submit"
          className="mb-5 @xl:mt-7 @xl:self-start"
          loading={explain.isPending}
          loadingText="saving"
        >
          Save
        </Button>
      </Form>
      <Missed missed={data.missed} onExplain={(words) => edit(words)} />
      <Section id="known" title="Known words">
        <ul className="mt-3 border-line border-t">
          {data.words.map(({ word, means }) => (
            <Row key={word} words={word} text={means.join(', ') || 'says nothing'}>
              <RowButton aria-label={`Change: ${word}`} onClick={() => edit(word, means)}>
                Change
              </RowButton>
              <RowButton
                aria-label={`Forget: ${word}`}
                onClick={() => explain.mutate({ word, means: null })}
              >
                Forget
              </RowButton>
            </Row>
          ))}
        </ul>
      </Section>
    </>
  )
}

/** The synonyms of search words, and the searches without a result. */
export default function WordsScreen() {
  return (
    <section aria-labelledby="words" className="@container min-h-svh">
      <h1 id="words" tabIndex={-1} className="text-4xl font-bold tracking-tight">
        Words
      </h1>
      <p className="mt-2 max-w-[68ch] text-pretty text-dim">
        What customers type and the shop calls otherwise. A kind is @ and its name in addresses,
        such as @power-supply; 0 to 24 dBA is any of these sizes. A word without a meaning says
        nothing, as ‘for’ does.
      </p>
      <Words />
    </section>
  )
}
