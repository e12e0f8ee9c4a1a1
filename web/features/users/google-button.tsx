import type { Shop } from '#contracts/shop.ts'
import { Button } from '#web/components/button.tsx'
import { isClosedByHand } from './form-error.tsx'
import type { Google } from './use-google.ts'

/** Google's letter, drawn with four strokes. */
function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" className="size-5" fill="none" strokeWidth="4" aria-hidden="true">
      <path stroke="#ea4335" d="M18.2 6.5A8.3 8.3 0 0 0 4.6 8.2" />
      <path stroke="#f9ab00" d="M4.6 8.2a8.3 8.3 0 0 0 0 7.6" />
      <path stroke="#34a853" d="M4.6 15.8a8.3 8.3 0 0 0 12.8 2.7" />
      <path stroke="#4285f4" d="M17.4 18.5a8.3 8.3 0 0 0 2.9-6.4H12" />
    </svg>
  )
}

type GoogleButtonProps = {
  google: Google
  provider: NonNullable<Shop['identity']['google']>
  /** Something else is under way. While Google's window is open the button still works: the newest window counts. */
  waits: boolean
  /** What the last attempt met. */
  error: Error | null
}

function noteOn({ google, provider, error }: GoogleButtonProps) {
  if (google.open) return 'Continue in the window that opened. Lost it? The button opens a new one.'
  if (isClosedByHand(error)) return 'The window was closed before you were logged in.'
  return (
    provider.sandbox && 'A demonstration: any name and e-mail will do, no Google account is needed.'
  )
}

/** The other way in, under the form. */
export function GoogleButton(props: GoogleButtonProps) {
  const { google, waits } = props
  return (
    <div className="needs-script">
      <p className="mt-6 flex items-center gap-4 text-dim text-sm before:flex-1 before:border-line before:border-t after:flex-1 after:border-line after:border-t">
        or
      </p>
      <Button
        variant="quiet"
        className="mt-5 w-full"
        waits={waits && !google.open}
        onClick={google.start}
      >
        <GoogleMark />
        continue with google
      </Button>
      <p role="status" className="mt-2.5 min-h-5 text-sm text-dim">
        {noteOn(props)}
      </p>
    </div>
  )
}
