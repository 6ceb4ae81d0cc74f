import { Button, Classes } from '@blueprintjs/core'
import { formatCount } from '../format.ts'
import { shownRows } from './Pager.tsx'

type PageStepsProps = {
  page: number
  size: number
  total: number
  isBusy: boolean
  onPage: (page: number) => void
}

/** Buttons for the pages of a part of a screen; the page is not in the URL. */
export const PageSteps = ({ page, size, total, isBusy, onPage }: PageStepsProps) => {
  const [first, last] = shownRows(page, size, total)
  return (
    <div className="page-steps">
      <span className="page-steps-shown">
        {formatCount(first)} to {formatCount(last)} of {formatCount(total)}
      </span>
      {total > size && (
        <>
          <StepButton text="Previous" isOff={page === 1} {...{ isBusy }} onStep={() => onPage(page - 1)} />
          <StepButton text="Next" isOff={last >= total} {...{ isBusy }} onStep={() => onPage(page + 1)} />
        </>
      )}
    </div>
  )
}

type StepButtonProps = { text: string; isOff: boolean; isBusy: boolean; onStep: () => void }

/** Not `disabled`, because that would take the focus from a person who turns pages with the keyboard. */
const StepButton = ({ text, isOff, isBusy, onStep }: StepButtonProps) => (
  <Button
    text={text}
    className={isOff ? Classes.DISABLED : undefined}
    aria-disabled={isOff || isBusy}
    onClick={() => !isOff && !isBusy && onStep()}
  />
)
