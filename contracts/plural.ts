const irregular: Record<string, string> = { mouse: 'mice' }

/** The English plural of a kind's name, by rule as far as possible: owners choose the names. */
export const plural = (kind: string) => {
  if (irregular[kind]) return irregular[kind]
  if (/s$/i.test(kind)) return kind
  if (/(x|ch|sh)$/.test(kind)) return `${kind}es`
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`
}

/** A kind's name after its article: 'an adapter'. */
export const oneOf = (kind: string) => `${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind}`

/** A text with a capital letter at its beginning. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
