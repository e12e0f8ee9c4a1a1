import { type ComponentProps, Fragment, useState } from 'react'
import { useErrorInTitle } from '#web/lib/page-title.ts'
import { useFormErrors, type WrongField } from './use-form-errors.ts'

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
  const [sent, setSent] = useState(false)
  const { ref, wrong, refused } = useFormErrors(() => setSent(false))
  const shown = sent ? wrong : []
  useErrorInTitle(shown.length > 0 || refused)
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
      {shown.length > 1 && <Summary fields={shown} />}
      {children}
    </form>
  )
}
