import { type ComponentProps, Fragment, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useErrorInTitle } from '#web/lib/page-title.ts'

type WrongField = { label: string; element: HTMLElement }

function labelOf(element: HTMLInputElement): string {
  // a radio's label names one option, the legend names the choice
  const named =
    element.type === 'radio'
      ? element.closest('fieldset')?.querySelector('legend')
      : element.labels?.[0]
  return named?.textContent ?? ''
}

/** The invalid fields in form order; a group of radios counts once. */
function wrongFields(form: HTMLFormElement): WrongField[] {
  const marked = form.querySelectorAll<HTMLInputElement>('[aria-invalid="true"]')
  const byLabel = new Map<string, HTMLElement>()
  for (const element of marked) {
    const label = labelOf(element)
    if (label && !byLabel.has(label)) byLabel.set(label, element)
  }
  return [...byLabel].map(([label, element]) => ({ label, element }))
}

const isRefused = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll('[role="alert"]')].some((alert) => alert.textContent !== '')

const labelsOf = (fields: WrongField[]) => fields.map(({ label }) => label).join()

/**
 * Reads a form's errors from the DOM, so it finds every error that users see, whatever its source.
 * `refused`: a message below the fields reports a failed submit.
 * @param onValid called when the last invalid field becomes valid
 */
function useFormErrors(onValid: () => void) {
  const ref = useRef<HTMLFormElement>(null)
  const [invalidFields, setInvalidFields] = useState<WrongField[]>([])
  const [refused, setRefused] = useState(false)
  const reportValid = useEffectEvent(onValid)
  const isWrong = useRef(false)
  useEffect(() => {
    const form = ref.current
    if (!form) return
    const look = () => {
      const now = wrongFields(form)
      setInvalidFields((before) => (labelsOf(before) === labelsOf(now) ? before : now))
      setRefused(isRefused(form))
      if (isWrong.current && now.length === 0) reportValid()
      isWrong.current = now.length > 0
    }
    const watch = new MutationObserver(look)
    watch.observe(form, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['aria-invalid'],
    })
    return () => watch.disconnect()
  }, [])
  return { ref, invalidFields, refused }
}

/** Links to the invalid fields; each field shows its own message. */
function Summary({ fields }: { fields: WrongField[] }) {
  return (
    <p className="col-span-full mb-5 rounded-xl border border-danger px-4 py-3 text-[0.9375rem]">
      There is a problem with {fields.length} fields:{' '}
      {fields.map(({ label, element }, index) => (
        <Fragment key={label}>
          {index > 0 && ' '}
          <span className="whitespace-nowrap">
            <button type="button" className="link" onClick={() => element.focus()}>
              {label}
            </button>
            {index < fields.length - 1 && ','}
          </span>
        </Fragment>
      ))}
    </p>
  )
}

/**
 * A form submitted by script, whose fields show their own errors. After a failed submit the page
 * title says so, and so does a summary unless a single field is invalid, which then already has the
 * focus. If the form is ever submitted without the script, `post` keeps the typed values out of the
 * URL, and so out of histories and logs.
 */
export function Form({ onSubmit, children, ...rest }: ComponentProps<'form'>) {
  const [isSent, setSent] = useState(false)
  const { ref, invalidFields, refused } = useFormErrors(() => setSent(false))
  const listedFields = isSent ? invalidFields : []
  useErrorInTitle(listedFields.length > 0 || refused)
  return (
    <form
      noValidate
      method="post"
      {...rest}
      ref={ref}
      onSubmit={(event) => {
        setSent(true)
        onSubmit?.(event)
      }}
    >
      {listedFields.length > 1 && <Summary fields={listedFields} />}
      {children}
    </form>
  )
}
