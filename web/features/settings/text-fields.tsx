import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { textLimits, textNames } from '#contracts/texts.ts'
import { Button } from '#web/components/button.tsx'
import { Field, TextArea } from '#web/components/field.tsx'
import { ownSections } from '#web/content/own-text.tsx'
import { useTextFacts } from '#web/content/use-text-facts.ts'
import { ApiError } from '#web/lib/api.ts'
import { useTextPreview } from './text-queries.ts'

type Typed = FieldValues & { lead: string; text: string }
type Props<T extends Typed> = {
  form: UseFormReturn<T>
  /** What the shop refused, by field. */
  refused: Record<string, string> | undefined
}

/** The introduction and the Markdown of a page, with the names that a text may use. */
export function TextFields<T extends Typed>({ form, refused }: Props<T>) {
  const { errors } = form.formState
  const messageOf = (name: 'lead' | 'text') =>
    (errors[name]?.message as string | undefined) ?? refused?.[name] ?? ''
  return (
    <>
      <Field
        label="Introduction"
        hint="Shown below the title and in search engines"
        autoComplete="off"
        error={messageOf('lead')}
        {...form.register('lead' as Path<T>)}
      />
      <TextArea
        label="Text"
        hint="Markdown: ## starts a section, - a list, **bold**, *italics*, [a link](/contact)"
        rows={22}
        spellCheck
        typed={form.watch('text' as Path<T>).length}
        limit={textLimits.text}
        error={messageOf('text')}
        {...form.register('text' as Path<T>)}
      />
      <details className="mb-4 text-sm">
        <summary className="min-h-6 cursor-pointer text-dim">
          Names in braces are replaced with your settings
        </summary>
        <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
          {Object.entries(textNames).map(([name, meaning]) => (
            <div key={name} className="contents">
              <dt>
                <code>{`{${name}}`}</code>
              </dt>
              <dd className="text-dim">{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}

/** Shows a text as its page would. */
export function Preview({ text }: { text: string }) {
  const facts = useTextFacts()
  const preview = useTextPreview()
  return (
    <div className="mt-8">
      <Button variant="quiet" loading={preview.isPending} onClick={() => preview.mutate(text)}>
        Preview
      </Button>
      <p role="alert" className="text-danger empty:hidden">
        {preview.error instanceof ApiError
          ? (preview.error.fields?.text ?? preview.error.message)
          : preview.error?.message}
      </p>
      {preview.data && (
        <section
          aria-label="Preview"
          className="card mt-4 px-6 py-2 [&_a]:text-copper [&_a]:underline"
        >
          {ownSections(preview.data, facts).map(({ heading, body }, i) => (
            <div key={i} className="py-4">
              {heading && <h2 className="font-semibold text-2xl tracking-tight">{heading}</h2>}
              <div className="prose mt-3">{body}</div>
            </div>
          ))}
        </section>
      )}
    </div>
  )
}
