/** Rows on one page of a list. One more is asked for, to know whether a next page is there. */
export const rowsPerPage = 50
export const rowsAsked = rowsPerPage + 1

export type ListPage<Row> = { rows: Row[]; hasMore: boolean }

/** A page out of what was answered to `rowsAsked`. */
export const pageOf = <Row>(answered: Row[]): ListPage<Row> => ({
  rows: answered.slice(0, rowsPerPage),
  hasMore: answered.length > rowsPerPage,
})
