import { useState } from 'react'
import { type ImportProblem, importLimits } from '#contracts/parts-csv.ts'
import { Button } from '#web/components/button.tsx'

/** Rows that are shown at first: a file that is wrong throughout says so with these. */
const shownFirst = 50

const counted = (count: number) => count.toLocaleString('en-US')

function ProblemRow({ problem: { line, field, message } }: { problem: ImportProblem }) {
  return (
    <tr>
      <td data-label="Line" className="problems-line figure">
        {line}
      </td>
      <td data-label="Column" className="problems-column">
        {field ? <code className="font-mono text-sm">{field}</code> : '—'}
      </td>
      <td className="problems-what">{message}</td>
    </tr>
  )
}

/** What is wrong with a sheet, each with the line and the column that a spreadsheet shows. */
export function ImportProblems({ problems }: { problems: ImportProblem[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? problems : problems.slice(0, shownFirst)
  return (
    <div className="list mt-6">
      <table className="list-table problems-list">
        <caption className="sr-only">Problems by line</caption>
        <thead>
          <tr>
            <th scope="col" className="figure">
              Line
            </th>
            <th scope="col">Column</th>
            <th scope="col">What is wrong</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((problem, i) => (
            <ProblemRow key={i} problem={problem} />
          ))}
        </tbody>
      </table>
      {shown.length < problems.length && (
        <Button variant="quiet" className="mt-5" onClick={() => setAll(true)}>
          Show all {counted(problems.length)} problems
        </Button>
      )}
      {all && problems.length === importLimits.problems && (
        <p className="mt-5 text-dim text-sm">
          These are the first {counted(importLimits.problems)}. Mend them, and the next are listed.
        </p>
      )}
    </div>
  )
}
