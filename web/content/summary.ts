/** The shop in three figures, as fixed text: those of the demonstration, and of no other shop. */
export const summary = [
  { figure: '15+', what: 'Countries' },
  { figure: '550+', what: 'Happy clients' },
  { figure: '300+', what: 'feedbacks' },
]
