/** The shop in three figures, true only of the demonstration. */
export const summary = [
  { figure: '15+', what: 'Countries' },
  { figure: '550+', what: 'Happy clients' },
  { figure: '300+', what: 'feedbacks' },
]
