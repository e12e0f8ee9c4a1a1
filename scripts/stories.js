// How the gate evaluates Playwright's report: which stories failed, and which of them only by
// chance.

/** @typedef {{ status: string, error?: { message: string }, attachments: { name: string, path?: string }[] }} Result */
/** @typedef {{ title: string, ok: boolean, file: string, line: number, tests: { results: Result[] }[] }} Spec */
/** @typedef {{ specs: Spec[], suites?: Suite[] }} Suite */
/** @typedef {{ file: string, line: number, title: string, message?: string, trace?: string }} Story */

/**
 * @param {Suite[]} suites of Playwright's JSON report
 * @returns {Story[]} the failed stories with the reasons; `file` is relative to the folder of
 * stories
 */
export function failedStories(suites) {
  return suites.flatMap(({ specs, suites: inner = [] }) => [
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ file, line, title, tests }) => {
        const result = tests.flatMap(({ results }) => results).find(({ error }) => error)
        const trace = result?.attachments.find(({ name }) => name === 'trace')?.path
        return { file, line, title, message: result?.error?.message, trace }
      }),
    ...failedStories(inner),
  ])
}

/** Playwright's arguments for one story, whatever characters its title has. */
export const onlyStory = (/** @type {Story} */ { file, line, title }) => [
  `${file}:${line}`,
  `--grep=${title.replace(/[^\w ]/g, '\\$&')}$`,
]

/**
 * Runs each story alone, twice. Stops at the first that fails again, because the run has then
 * failed in any case.
 * @param {Story[]} stories
 * @param {(story: Story, time: number) => Promise<boolean>} passesAlone
 * @returns {Promise<Story[]>} the stories that passed both times
 */
export async function flakyAmong(stories, passesAlone) {
  const flaky = []
  for (const story of stories) {
    for (const time of [1, 2]) if (!(await passesAlone(story, time))) return flaky
    flaky.push(story)
  }
  return flaky
}
