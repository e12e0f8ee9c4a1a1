import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { counted } from '#contracts/counted.ts'
import { type FirstSteps, firstStepNames, firstSteps } from '#contracts/first-steps.ts'
import { Panel } from './panel.tsx'

/** Leads through what a new shop still needs; nothing once all that every shop needs is done. */
export function FirstStepsPanel({ done }: { done: FirstSteps }) {
  const left = firstStepNames.filter((name) => !done[name] && !('isOptional' in firstSteps[name]))
  if (left.length === 0) return null
  return (
    <Panel title="First steps" aside={`${counted(left.length, 'step')} left`}>
      <ol className="grid gap-x-10 md:grid-cols-2">
        {firstStepNames.map((name) => {
          const { title, advice, ...step } = firstSteps[name]
          return (
            <li key={name} className="flex gap-3 border-line border-t py-2.5">
              <span
                aria-hidden="true"
                className={`mt-0.5 grid size-5 flex-none place-items-center rounded-full border ${done[name] ? 'border-green text-green' : 'border-edge'}`}
              >
                {done[name] && <Check className="size-3.5" />}
              </span>
              <div className="min-w-0">
                <p className={done[name] ? 'text-dim' : 'font-semibold'}>
                  {'to' in step && !done[name] ? (
                    <Link to={step.to} className="link">
                      {title}
                    </Link>
                  ) : (
                    title
                  )}
                  {'isOptional' in step && !done[name] && ' (optional)'}
                  <span className="sr-only">{done[name] ? ': done' : ': not done yet'}</span>
                </p>
                {!done[name] && <p className="text-pretty text-dim text-sm">{advice}</p>}
              </div>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
