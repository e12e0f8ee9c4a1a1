import { useState } from 'react'
import { RowButton } from '#web/components/row-button.tsx'

/** Where the shop keeps this picture, for a file to be imported; browsers copy on secure addresses alone. */
export function PictureAddress({ address }: { address: string }) {
  const [told, setTold] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => setTold('Copied'),
      () => setTold('Your browser did not allow it: select the address and copy it.'),
    )
  return (
    <div className="picture-address">
      <p className="text-dim text-sm">
        Its address, for a CSV file: <code className="picture-path">{address}</code>
      </p>
      {'clipboard' in navigator && (
        <RowButton aria-label="Copy the address of the picture" onClick={() => void copy()}>
          Copy
        </RowButton>
      )}
      <p role="status" className="text-dim text-sm empty:hidden">
        {told}
      </p>
    </div>
  )
}
