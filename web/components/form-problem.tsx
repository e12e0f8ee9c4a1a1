import { type ReactNode, useEffect, useRef } from 'react'

type Props = {
  /** The message, if any. A new message is scrolled into view. */
  said: string | null | undefined
  className?: string
  children?: ReactNode
}

/**
 * The error of a form as a whole, below its button. On a phone a bar or the keyboard could
 * otherwise cover it.
 */
export function FormProblem({ said, className = '', children = said }: Props) {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (said) line.current?.scrollIntoView({ block: 'nearest' })
  }, [said])
  return (
    <div ref={line} role="alert" className={`text-danger text-sm ${className}`}>
      {said && children}
    </div>
  )
}
