/**
 * Saves a response that a plain link could not request, because it needs the access token. It
 * streams from the network into a blob, which browsers keep on disk when it is large, so the page
 * never holds it in memory.
 */
export async function saveFile(answer: Response, fileName: string): Promise<void> {
  const url = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // the browser has to open the URL first
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Saves a text as a file. */
export const saveText = (text: string, fileName: string): Promise<void> =>
  saveFile(new Response(text, { headers: { 'content-type': 'text/csv' } }), fileName)
