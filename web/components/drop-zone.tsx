import { type ComponentProps, type ReactNode, useState } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'children'> & {
  /** Told the files that were chosen or dropped. */
  onFiles: (files: File[]) => void
  /** What stands in the zone. */
  children: ReactNode
  /** How the zone is laid out; `className` is taken by the input. */
  zone?: string
}

/** An area to drop files on, all of it a file input that opens by click and key. Other props go to the input. */
export function DropZone({ onFiles, children, zone = '', ...input }: Props) {
  const [over, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input inside does the same by keyboard
    <div
      className={`drop-zone ${zone}`}
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
        className="drop-input"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // so that the same file can be chosen again
          target.value = ''
        }}
      />
    </div>
  )
}
