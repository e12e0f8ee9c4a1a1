import { createRequire } from 'node:module'
import { join } from 'node:path'
import pdfmake from 'pdfmake'
import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { wordsOf } from '#contracts/invoice-words.ts'
import type { InvoiceDocument } from '#contracts/invoices.ts'

// the package's own: Latin, Greek and Cyrillic letters; the page prints every script
const fonts = join(createRequire(import.meta.url).resolve('pdfmake/fonts/Roboto.js'), '../Roboto')
pdfmake.addFonts({
  Roboto: {
    normal: join(fonts, 'Roboto-Regular.ttf'),
    bold: join(fonts, 'Roboto-Medium.ttf'),
  },
})
// a paper loads nothing
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy(() => true)

const grey = '#555555'

const block = (heading: string, lines: string[]): Content =>
  lines.length === 0
    ? { text: '' }
    : { stack: [{ text: heading, color: grey, fontSize: 8 }, ...lines], margin: [0, 0, 0, 12] }

/** The page of a paper: 20 lines fit on one, in A4 and in Letter. */
function pageOf(paper: InvoiceDocument): TDocumentDefinitions {
  const { title, facts, seller, buyer, deliveredTo, columns, rows, sums } = wordsOf(paper)
  const right = { alignment: 'right' as const }
  return {
    info: { title, author: paper.seller.lines[0] ?? '' },
    // as high as Letter, as wide as A4: it prints on either without a second page
    pageSize: { width: 595, height: 792 },
    pageMargins: [48, 40, 48, 36],
    defaultStyle: { font: 'Roboto', fontSize: 9, lineHeight: 1.1 },
    content: [
      {
        columns: [block('From', seller), block('To', buyer), block('Delivered to', deliveredTo)],
        columnGap: 16,
      },
      { text: title, fontSize: 18, bold: true, margin: [0, 6, 0, 6] },
      {
        table: {
          body: facts.map(([label, value]) => [{ text: label, color: grey }, value]),
        },
        layout: 'noBorders',
        margin: [0, 0, 0, 12],
      },
      {
        table: {
          headerRows: 1,
          widths: ['auto', '*', 'auto', 'auto', 'auto'],
          body: [
            columns.map((name, i) => ({ text: name, color: grey, ...(i > 1 && right) })),
            ...rows.map((row) => row.map((text, i) => ({ text, ...(i > 1 && right) }))),
          ],
        },
        layout: 'lightHorizontalLines',
      },
      {
        table: {
          widths: ['*', 'auto'],
          body: sums.map(([label, value]) => [
            { text: label, ...right, bold: label === 'Total' },
            { text: value, ...right, bold: label === 'Total' },
          ]),
        },
        layout: 'noBorders',
        margin: [0, 8, 0, 0],
      },
    ],
  }
}

/** Makes the PDF of a paper. */
export async function renderPdf(paper: InvoiceDocument): Promise<Uint8Array> {
  return new Uint8Array(await pdfmake.createPdf(pageOf(paper)).getBuffer())
}
