/**
 * A worker that reads the bar code in a camera's picture. It is a thread of its own, so the page
 * stays quick, and only here may WebAssembly run: no page needs it, so their content policy forbids
 * what could run more code.
 */
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'

prepareZXingModule({ overrides: { locateFile: () => wasm } })

const options = {
  formats: ['EAN13', 'EAN8', 'UPCA', 'UPCE', 'Code128', 'QRCode'] as const,
  maxNumberOfSymbols: 1,
}

/** Answers each picture with the text of its code, '' without one. */
addEventListener('message', async ({ data }: MessageEvent<ImageData>) => {
  const [code] = await readBarcodes(data, { ...options, formats: [...options.formats] })
  postMessage(code?.text ?? '')
})
