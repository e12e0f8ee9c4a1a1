type InAnswer<T> = { [K in keyof T]: Date extends T[K] ? string | Exclude<T[K], Date> : T[K] }

/** The same row with its times in the API's format: ISO 8601, in UTC. */
export const withTimes = <T extends object>(row: T) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
  ) as InAnswer<T>
