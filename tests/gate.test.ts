import { describe, expect, test } from 'vitest'
import { failedStories, flakyAmong, onlyStory } from '#scripts/stories.js'

const story = (title: string) => ({ file: 'theme.spec.ts', line: 40, title })
const [first, second] = [story('first'), story('second')]

test('failed stories are found in every group of the report, with why and where their trace lies', () => {
  const spec = (title: string, error?: string) => ({
    ...story(title),
    ok: !error,
    tests: [
      {
        results: [
          {
            status: error ? 'failed' : 'passed',
            ...(error && { error: { message: error } }),
            attachments: [{ name: 'trace', path: `/${title}/trace.zip` }],
          },
        ],
      },
    ],
  })
  const suites = [
    { specs: [spec('first'), spec('second', 'no button')] },
    { specs: [], suites: [{ specs: [spec('third', 'no form')] }] },
  ]
  expect(failedStories(suites)).toEqual([
    { ...second, message: 'no button', trace: '/second/trace.zip' },
    { ...story('third'), message: 'no form', trace: '/third/trace.zip' },
  ])
})

test('a title with signs of a pattern chooses that story alone', () => {
  const title = 'goes round (no-preference), costs $5.00 a day?'
  const [file, grep = ''] = onlyStory(story(title))
  expect(file).toBe('theme.spec.ts:40')
  const pattern = new RegExp(grep.replace('--grep=', ''))
  expect(pattern.test(`theme.spec.ts ${title}`)).toBe(true)
  expect(pattern.test('theme.spec.ts goes round no-preference, costs 5x00 a da')).toBe(false)
})

describe('of the stories that failed', () => {
  const tried: string[] = []
  const among = (passes: (title: string, time: number) => boolean) => {
    tried.length = 0
    return flakyAmong([first, second], async ({ title }, time) => {
      tried.push(`${title} ${time}`)
      return passes(title, time)
    })
  }

  test('those that pass twice alone are flaky', async () => {
    expect(await among(() => true)).toEqual([first, second])
    expect(tried).toEqual(['first 1', 'first 2', 'second 1', 'second 2'])
  })

  test('one that fails again is not, and nothing is tried after it', async () => {
    expect(await among((title) => title !== 'first')).toEqual([])
    expect(tried).toEqual(['first 1'])
    expect(await among((title, time) => title === 'first' || time === 1)).toEqual([first])
    expect(tried).toEqual(['first 1', 'first 2', 'second 1', 'second 2'])
  })
})
