import { csvMessages, importLimits } from '#contracts/parts-csv.ts'

/** What spreadsheets save by themselves: a ZIP (.xlsx, .ods, .numbers), or Excel's older own kind. */
const workbooks = ['PK\x03\x04', '\xd0\xcf\x11\xe0']

/** Why these bytes are no sheet, as far as that is known without reading its lines. */
function refusalOf(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 4))
  if (workbooks.some((mark) => start.startsWith(mark)))
    return 'This is a workbook, not a CSV file. Open it and save it as “CSV UTF-8”.'
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return csvMessages.notUtf8
  }
  if (text.includes('\0')) return 'This is no CSV file. Choose another file.'
  return text.trim() ? undefined : 'The file is empty. Choose another file.'
}

/**
 * Reads the file that is to be imported, once: what is checked is what is imported, whatever is saved meanwhile.
 * @throws Error with the sentence for whoever chose the file
 */
export async function readFile(files: File[]): Promise<Blob> {
  const [file, ...more] = files
  if (!file || more.length > 0) throw new Error('One file at a time. Choose one.')
  if (file.size > importLimits.bytes) throw new Error(csvMessages.tooLarge)
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error('The file can not be read. Choose it again.')
  })
  const refusal = refusalOf(new Uint8Array(bytes))
  if (refusal) throw new Error(refusal)
  return new Blob([bytes])
}
