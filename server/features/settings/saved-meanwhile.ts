import { AppError } from '#server/errors.ts'

/** The refusal of an edit that is based on an older version. @param why what happened meanwhile */
export const savedMeanwhile = (why: string): AppError =>
  new AppError(
    'OUTDATED',
    `${why}, so your changes weren’t saved. Copy what you typed, reload the page and make your change again.`,
  )
