import { type ReactNode, useEffect, useRef } from 'react'

type Props = {
  /** The sentence, or nothing. A new one is brought into sight. */
  said: string | null | undefined
  className?: string
  children?: ReactNode
}

/** What went wrong with a form as a whole, under its button. On a phone a bar or the keyboard would cover it. */
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
