import type { MonthView } from '../../../machines/month.machine.ts'
import {
  singlyWaivedKind,
  type Finding,
  type KindSum,
  type MonthDetail,
} from '../../../schemas/api/months/months.ts'
import { sumDollars } from '../../../schemas/dollars.ts'
import { formatCount, formatDollars, formatLocalDateTime } from '../../parts/format.ts'

/** The parts of the screen, in their order. */
export const sections = ['files', 'findings', 'lock', 'payout'] as const
export type Section = (typeof sections)[number]
/** One step of a month on its way; exactly the first that is not done is the next. */
export type StepState = { title: string; section: Section; isDone: boolean; text: string }

/** A finding that keeps the month from being locked (months 10). */
export const blocksLock = ({ severity, waiver }: Finding): boolean =>
  severity === 'stop' || (severity === 'warning' && waiver === null)

/** How many of a kind keep the month from being locked. */
export const blockingCount = ({ severity, count, waived }: KindSum): number =>
  severity === 'stop' ? count : severity === 'warning' ? count - waived : 0

/** Net of the file less what was stated, in dollars; null where nothing was stated or there is no file. */
export const differenceOf = ({ file, net, statednet }: MonthDetail['processors'][number]): number | null =>
  file === null || statednet === null ? null : sumDollars([net, -statednet])

export type FileState = 'in' | 'corrected' | 'none' | 'missing' | 'unexpected'
/** How a processor stands with its file (cockpit 2). */
export const fileState = (
  { processor, file, expected }: MonthDetail['processors'][number],
  { files, statements }: Pick<MonthDetail, 'files' | 'statements'>,
): FileState => {
  const own = files.filter((it) => it.processor === processor)
  if (own.length > 1) return 'corrected'
  if (file !== null) return 'in'
  if (statements.some((it) => it.processor === processor && it.nofile)) return 'none'
  return expected ? 'missing' : 'unexpected'
}

const joined = (parts: readonly (string | false)[]) => parts.filter(Boolean).join(', ')
const some = (count: number, words: string) => count > 0 && `${formatCount(count)} ${words}`

const filesStep = (detail: MonthDetail): StepState => {
  const states = detail.processors.map((it) => fileState(it, detail))
  const count = (...wanted: FileState[]) => states.filter((it) => wanted.includes(it)).length
  const arrived = count('in', 'corrected')
  const missing = count('missing')
  return {
    title: 'Files',
    section: 'files',
    isDone: missing === 0 && arrived + count('none') > 0,
    text:
      arrived + missing + count('none') === 0
        ? 'None yet'
        : joined([
            `${arrived} of ${arrived + missing} in`,
            some(count('corrected'), 'corrected'),
            some(count('none'), 'without a file'),
          ]),
  }
}

const totalsStep = ({ processors, kinds }: MonthDetail): StepState => {
  const differences = processors.filter(({ file }) => file !== null).map(differenceOf)
  const untyped = differences.filter((it) => it === null).length
  const differ = differences.filter((it) => it !== null && it !== 0).length
  const isWaived = !kinds.some((it) => it.kind === singlyWaivedKind && it.waived < it.count)
  return {
    title: 'Totals',
    section: 'files',
    isDone: differences.length > 0 && untyped === 0 && isWaived,
    text:
      differences.length === 0
        ? 'No file to compare'
        : joined([
            `${differences.length - untyped - differ} of ${differences.length} agree`,
            some(differ, differ === 1 ? 'differs' : 'differ'),
            some(untyped, 'not typed'),
          ]),
  }
}

const findingsStep = ({ kinds }: MonthDetail): StepState => {
  const count = (of: (it: KindSum) => number) => kinds.reduce((sum, it) => sum + of(it), 0)
  const stops = count((it) => (it.severity === 'stop' ? it.count : 0))
  const open = count(blockingCount)
  return {
    title: 'Findings',
    section: 'findings',
    isDone: open === 0,
    text:
      joined([
        some(stops, stops === 1 ? 'stop' : 'stops'),
        some(open - stops, 'to waive'),
        some(
          count(({ waived }) => waived),
          'waived',
        ),
        some(
          count((it) => (it.severity === 'note' ? it.count : 0)),
          'noted',
        ),
      ]) || 'None',
  }
}

const lockStep = ({ month, detail }: MonthView): StepState => ({
  title: 'Lock',
  section: 'lock',
  isDone: month?.state !== 'open',
  text:
    month?.state === 'open'
      ? month.version === 0
        ? 'Open'
        : `Open again after version ${month.version}`
      : joined([
          `Version ${month?.version}`,
          detail?.locked ? `by ${detail.locked.username}, ${formatLocalDateTime(detail.locked.at)}` : false,
        ]),
})

/** Who approved the run as it is or as it was released, and when. */
function approvalText({ month, payout }: MonthView, isReleased: boolean): string {
  if (!payout || !month || month.state === 'open') return ''
  const released = payout.releases.findLast(({ version }) => version === month.version)
  const approval = isReleased ? released?.approval : payout.approval
  if (approval) return `By ${approval.username}, ${formatLocalDateTime(approval.at)}`
  return isReleased ? '' : `${formatDollars(payout.total)} to pay`
}

const payoutSteps = (view: MonthView): StepState[] => {
  const { month, payout } = view
  const state = month?.state ?? 'open'
  const isReleased = state === 'released' || state === 'settled'
  const paid = payout && sumDollars(payout.releases.map(({ total }) => total))
  const back = payout ? sumDollars(payout.releases.map(({ returnedtotal }) => returnedtotal)) : 0
  const returns = state === 'settled' ? 'Settled' : 'May come back'
  const step = (title: string, isDone: boolean, text: string): StepState => ({
    title,
    section: 'payout',
    isDone,
    text,
  })
  return [
    step('Approval', isReleased || state === 'approved', approvalText(view, isReleased)),
    step('Release', isReleased, isReleased ? formatDollars(paid) : ''),
    step(
      'Returns',
      state === 'settled',
      isReleased ? joined([returns, back > 0 && `${formatDollars(back)} came back`]) : '',
    ),
  ]
}

/** The steps of a month by its data, which a viewer of one branch gets from the lock on (cockpit 3). */
export const stepsOf = (view: MonthView, seesHouse: boolean): StepState[] => {
  const { detail, month } = view
  const isOpen = month?.state === 'open'
  const before = detail && seesHouse ? [filesStep(detail), totalsStep(detail), findingsStep(detail)] : []
  return [
    ...before.map((step) => (isOpen ? step : { ...step, isDone: true })),
    lockStep(view),
    ...payoutSteps(view),
  ]
}

/** The sections with that of the next step first. */
export const orderedSections = (steps: readonly StepState[]): Section[] => {
  const next = steps.find(({ isDone }) => !isDone)?.section
  return [...sections].sort((a, b) => Number(b === next) - Number(a === next))
}
