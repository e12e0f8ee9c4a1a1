import { useState } from 'react'

/**
 * The version that a form's values are based on. When another admin saves, a refetch brings a newer
 * one, which this form has not shown: saving with it would undo theirs unseen.
 */
export function useBaseVersion(read: number): { version: number; onSaved: () => void } {
  const [version, setVersion] = useState(read)
  return { version, onSaved: () => setVersion((saved) => saved + 1) }
}
