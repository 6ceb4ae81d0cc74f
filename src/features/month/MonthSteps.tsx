import { SmallTickIcon } from '@blueprintjs/icons'
import type { StepState } from './monthSteps.ts'

/** Where a month stands on its way (cockpit 3); each step leads to the part of the screen about it. */
export const MonthSteps = ({ steps }: { steps: readonly StepState[] }) => {
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <ol className="month-steps" aria-label="Steps of the month">
      {steps.map(({ title, section, isDone, text }, index) => (
        <li
          key={title}
          className={`month-step ${isDone ? 'month-done' : index === next ? 'month-current' : ''}`}
          aria-current={index === next ? 'step' : undefined}
        >
          <span className="month-mark" aria-hidden="true">
            {isDone ? <SmallTickIcon /> : index + 1}
          </span>
          <a href={`#${section}`}>{title}</a>
          <span className="visually-hidden">{isDone ? ', done' : index === next ? ', next' : ''}</span>
          <span className="month-step-text">{text}</span>
        </li>
      ))}
    </ol>
  )
}
