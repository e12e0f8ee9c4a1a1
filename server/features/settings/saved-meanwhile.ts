import { AppError } from '#server/errors.ts'

/** The refusal of an edit that is based on an older version. @param why what happened meanwhile */
export const savedMeanwhile = (why: string): AppError =>
  new AppError(
    'OUTDATED',
    `${why}, and nothing of yours was saved. Copy what you typed, load the page again, and repeat your change.`,
  )
