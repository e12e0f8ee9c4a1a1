import { type ComponentProps, type ReactNode, useState } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'children'> & {
  /** Called with the chosen or dropped files. */
  onFiles: (files: File[]) => void
  /** The content of the zone. */
  children: ReactNode
  /** Classes for the size of the zone; `className` goes to the input. */
  zone?: string
}

/**
 * A drop area for files. The whole area is a file input, usable by click and keyboard. Other props
 * go to the input.
 */
export function DropZone({ onFiles, children, zone = 'aspect-4/3 max-w-120', ...input }: Props) {
  const [over, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input inside does the same by keyboard
    <div
      className={`relative mt-1.5 grid place-items-center overflow-hidden rounded-card border border-edge border-dashed bg-linear-to-b from-plate to-card transition-colors hover:border-copper has-focus-visible:outline-2 has-focus-visible:outline-copper has-focus-visible:outline-offset-3 data-invalid:border-danger data-over:border-copper data-over:border-solid ${zone}`}
      data-over={over || undefined}
      data-invalid={input['aria-invalid'] ? '' : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
      <input
        {...input}
        type="file"
        // covers everything in the zone, so a click or drop works anywhere
        className="absolute inset-0 cursor-pointer opacity-0"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // allows choosing the same file again
          target.value = ''
        }}
      />
    </div>
  )
}
