/** How spreadsheets where this reader lives write 1.5, as far as the browser's language tells: a file of the other kind opens in one column. */
export const csvDecimals = (): 'point' | 'comma' =>
  new Intl.NumberFormat(navigator.language).format(1.5).includes(',') ? 'comma' : 'point'
