/**
 * Opens a ZIP in the browser, file by file. Neither the tab nor the shop ever holds all of it, and
 * the bytes read limit the unpacked size.
 */

/** A file to be read on demand. `name` includes its folders. */
export type NamedFile = {
  name: string
  size: number
  /** @throws Error with a message for the admin */
  read(): Promise<Blob>
}

const maxEntries = 20_000
/** The largest directory to read: enough for the allowed number of entries with long names. */
const maxDirectory = 16 * 1024 * 1024
/** A ZIP ends with 22 bytes and a comment. */
const endLength = 22
const longestEnd = endLength + 0xffff
const [endMark, entryMark, fileMark] = [0x06054b50, 0x02014b50, 0x04034b50]
/** Marks a number that is stored elsewhere, as in files of more than 4 GB. */
const elsewhere = 0xffffffff

const broken = () => new Error('The ZIP is damaged or incomplete. Create a new one.')

const viewOf = async (file: Blob, from: number, to: number) =>
  new DataView(await file.slice(from, to).arrayBuffer())

/** The position of the directory, and its number of entries. */
async function findDirectory(zip: Blob) {
  const from = Math.max(0, zip.size - longestEnd)
  const tail = await viewOf(zip, from, zip.size)
  for (let at = tail.byteLength - endLength; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== endMark) continue
    const [entries, length, start] = [
      tail.getUint16(at + 10, true),
      tail.getUint32(at + 12, true),
      tail.getUint32(at + 16, true),
    ]
    if (entries === 0xffff || start === elsewhere || entries > maxEntries)
      throw new Error(
        'This ZIP is too large: the limit is 4 GB and 20,000 files. Split it into several.',
      )
    if (start + length > zip.size || length > maxDirectory) throw broken()
    return { entries, length, start }
  }
  throw broken()
}

/**
 * Decodes a name, which is UTF-8 or in an old code page; both are equal for the characters of part
 * numbers.
 */
function textOf(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

type Entry = { method: number; isEncrypted: boolean; packed: number; at: number }

/** Unpacks one file, up to `max` bytes. */
async function unpack(zip: Blob, entry: Entry, max: number): Promise<Blob> {
  if (entry.isEncrypted) throw new Error('It’s encrypted. Create the ZIP without a password.')
  const head = await viewOf(zip, entry.at, entry.at + 30)
  if (head.byteLength < 30 || head.getUint32(0, true) !== fileMark) throw broken()
  const start = entry.at + 30 + head.getUint16(26, true) + head.getUint16(28, true)
  const data = zip.slice(start, start + entry.packed)
  if (data.size < entry.packed) throw broken()
  if (entry.method === 0) return data
  if (entry.method !== 8) throw new Error('It’s compressed in a format browsers can’t read.')
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = data.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw broken()
    })
    if (done) return new Blob(chunks)
    bytes += value.length
    if (bytes > max) {
      await reader.cancel()
      throw new Error(`It’s larger than ${max / 1024 / 1024} MB.`)
    }
    chunks.push(value)
  }
}

/**
 * Lists the files of a ZIP without reading them. Folders and files added by operating systems are
 * left out.
 * @param max bytes of one file
 * @throws Error with a message for the admin
 */
export async function readZip(zip: Blob, max: number): Promise<NamedFile[]> {
  const { entries, length, start } = await findDirectory(zip)
  const view = await viewOf(zip, start, start + length)
  const files: NamedFile[] = []
  for (let at = 0, left = entries; left > 0; left -= 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== entryMark) throw broken()
    const [named, extra, comment] = [28, 30, 32].map((each) => view.getUint16(at + each, true))
    const end = at + 46 + (named ?? 0)
    if (end > view.byteLength) throw broken()
    const name = textOf(new Uint8Array(view.buffer, at + 46, named))
    const entry = {
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      at: view.getUint32(at + 42, true),
    }
    const size = view.getUint32(at + 24, true)
    const isHidden = name.split(/[/\\]/).some((each) => /^(\.|__MACOSX$|Thumbs\.db$)/i.test(each))
    if (!isHidden && !/[/\\]$/.test(name))
      files.push({ name, size, read: () => unpack(zip, entry, max) })
    at = end + (extra ?? 0) + (comment ?? 0)
  }
  return files
}
