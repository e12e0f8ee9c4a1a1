/** The title and description of a page, for a route's `meta`. */
export function pageMeta(title: string, description?: string) {
  const full = title === 'Ferrite' ? title : `${title} · Ferrite`
  return [
    { title: full },
    { property: 'og:title', content: full },
    ...(description
      ? [
          { name: 'description', content: description },
          { property: 'og:description', content: description },
        ]
      : []),
  ]
}
