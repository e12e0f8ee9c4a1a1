/** A program for the test of `ownProcess`: does what a hostile file might cause. */
import { answerTasks } from '#server/own-process.ts'

answerTasks(
  (task: string) => {
    const kept: number[][] = []
    while (task === 'memory') kept.push(Array.from({ length: 100_000 }, Math.random))
    while (task === 'time') kept.length = 0
    return { rows: ['a', 'b'], result: kept.length + 2 }
  },
  { cpuSeconds: 1, megabytes: 250 },
)
