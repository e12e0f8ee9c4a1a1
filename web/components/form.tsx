import { type ComponentProps, Fragment, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useErrorInTitle } from '#web/lib/page-title.ts'

type WrongField = { label: string; element: HTMLElement }

function labelOf(element: HTMLInputElement): string {
  // a radio's label names one choice, the legend names what is chosen
  const named =
    element.type === 'radio'
      ? element.closest('fieldset')?.querySelector('legend')
      : element.labels?.[0]
  return named?.textContent ?? ''
}

/** The fields that are marked as wrong, in the order of the form; a group of radios counts once. */
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
 * What a form says is wrong, read from the form as it stands: whichever way a field came to its error, it is the same
 * that people see. `refused`: something under the fields says that it was sent in vain.
 * @param onValid called when no field is wrong any more
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

/** Links to the fields that are wrong; each field shows its own message. */
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
 * A form that a script sends and whose fields say themselves what is wrong. When it was sent in vain the page's title
 * says so, and so does a summary, unless a single field is wrong: there the focus is already. Should the form ever be
 * sent without the script, `post` keeps what was typed out of the address, and with it out of histories and logs.
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
