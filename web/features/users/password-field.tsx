import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Field } from '#web/components/field.tsx'

/** A password that can be looked at. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'type' | 'end'>) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <button
          type="button"
          className="icon-button mt-1.5"
          aria-label={shown ? 'Hide what is typed' : 'Show what is typed'}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon size={20} aria-hidden="true" />
        </button>
      }
    />
  )
}
