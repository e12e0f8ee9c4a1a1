import { type ComponentProps, type ReactNode, useState } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'children'> & {
  /** Called with the files that were chosen or dropped. */
  onFiles: (files: File[]) => void
  /** What stands in the zone. */
  children: ReactNode
  /** The size of the zone; `className` is taken by the input. */
  zone?: string
}

/** An area to drop files on, all of it a file input that opens by click and key. Other props go to the input. */
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
        // over everything in the zone: a click or a drop anywhere reaches it
        className="absolute inset-0 cursor-pointer opacity-0"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // so that the same file can be chosen again
          target.value = ''
        }}
      />
    </div>
  )
}
