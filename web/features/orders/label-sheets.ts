/**
 * Sheets of address labels, in millimetres: Avery L7163 and L7160, and 5163 and 5160
 * (https://www.avery.com/templates).
 */
export const labelSheets = {
  'A4, 2 × 7': { columns: 2, rows: 7, width: 99.1, height: 38.1, left: 4.65, top: 15.15, gap: 2.5 },
  'A4, 3 × 7': { columns: 3, rows: 7, width: 63.5, height: 38.1, left: 7.25, top: 15.15, gap: 2.5 },
  'Letter, 2 × 5': {
    columns: 2,
    rows: 5,
    width: 101.6,
    height: 50.8,
    left: 3.97,
    top: 12.7,
    gap: 4.76,
  },
  'Letter, 3 × 10': {
    columns: 3,
    rows: 10,
    width: 66.7,
    height: 25.4,
    left: 4.76,
    top: 12.7,
    gap: 3.18,
  },
} as const
export type LabelSheet = keyof typeof labelSheets
