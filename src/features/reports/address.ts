import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router-dom'
import type { Values } from '../../../machines/report.machine.ts'
import type { ReportType } from '../../../schemas/api/reports.ts'
import { missingInputs, readAddressValues, writeAddressValues } from './addressValues.ts'
import type { ReportActor } from './report.ts'

/** What the address of the report runner says besides the values of the inputs (reports 41). */
type ReportAddress = {
  /** The id of a report, null for none. */
  report: string | null
  /** '{column}', '-{column}' for descending, or ''. */
  sort: string
  /** The report was generated, and is generated again when somebody comes to the address. */
  isRun: boolean
}

/** Parameters that are no inputs of a report. */
export const reservedParameters = ['report', 'sort', 'run'] as const

export const readAddress = (search: string): ReportAddress & { parameters: Record<string, string> } => {
  const { report, sort, run, ...parameters } = Object.fromEntries(new URLSearchParams(search))
  return { report: report || null, sort: sort ?? '', isRun: run !== undefined, parameters }
}

/** '?report=…' with the filled inputs, or '' without a report. */
export const writeAddress = (
  report: ReportType | null,
  values: Values,
  { sort, isRun }: Pick<ReportAddress, 'sort' | 'isRun'>,
): string =>
  report === null
    ? ''
    : `?${new URLSearchParams([
        ['report', report.id],
        ...writeAddressValues(report, values),
        ...(sort ? [['sort', sort]] : []),
        ...(isRun ? [['run', '1']] : []),
      ])}`

/** The history state of the addresses that this screen writes itself. */
const ownEntry = { isReportAddress: true }
const isOwnEntry = (state: unknown) =>
  typeof state === 'object' && state !== null && 'isReportAddress' in state

/**
 * Calls `follow` for each address that this screen did not write itself, when the machine is ready for it.
 * What is under way is cancelled for it where that is possible.
 */
const useForeignAddress = ({ snapshot, send }: ReportActor, follow: (isFirst: boolean) => void) => {
  const { key, state } = useLocation()
  const isOwn = useNavigationType() !== 'POP' && isOwnEntry(state)
  const followedKey = useRef<string | null>(null)
  useEffect(() => {
    if (followedKey.current === key) return
    const isFirst = followedKey.current === null
    if (isOwn) followedKey.current = key
    else if (snapshot.matches('ready')) {
      followedKey.current = key
      follow(isFirst)
    } else if (snapshot.can({ type: 'cancel' })) send({ type: 'cancel' })
  })
}

/** `current` is the address as it was written last, which the router may not have rendered yet. */
const useAddressWriter = () => {
  const { search } = useLocation()
  const navigate = useNavigate()
  const current = useRef(search)
  current.current = search
  const write = (text: string, { replace }: { replace: boolean }) => {
    if (text === current.current) return
    current.current = text
    void navigate({ search: text }, { replace, state: ownEntry })
  }
  return { search, current, write }
}

/** Whether these are the values that the address has. */
const hasValues = (search: string, report: ReportType, values: Values): boolean => {
  const written = readAddressValues(report, readAddress(search).parameters).values
  return (
    JSON.stringify(writeAddressValues(report, values)) === JSON.stringify(writeAddressValues(report, written))
  )
}

/**
 * Keeps report, inputs and sort in the address (reports 41): what a person does on the screen is written into
 * it, and an address that comes by a link, by reloading or by Back is done on the screen. Send the events of
 * the screen through the `send` that it returns. `faults` says what of the address could not be followed.
 */
export const useReportAddress = ({ snapshot, send }: ReportActor) => {
  const { search, current, write } = useAddressWriter()
  const [faults, setFaults] = useState<readonly string[]>([])
  const [formKey, setFormKey] = useState(0)
  /** Set from the choice of a report by the address to the first values of its form. */
  const opening = useRef<{ isRun: boolean } | null>(null)
  const { types, report, values } = snapshot.context

  useForeignAddress({ snapshot, send }, (isFirst) => {
    const { report: id, isRun, parameters } = readAddress(search)
    if (isFirst && id === null) return
    const chosen = types.find((it) => it.id === id) ?? null
    const read = chosen ? readAddressValues(chosen, parameters) : { values: {}, faults: [] }
    const unknown = id === null || chosen ? [] : [`You can run no report named “${id.slice(0, 60)}”.`]
    setFaults([...unknown, ...read.faults])
    opening.current = chosen && { isRun: isRun && read.faults.length === 0 }
    // A form that is already there has values of its own.
    if (chosen && chosen.id === report?.id) setFormKey((count) => count + 1)
    send({ type: 'choose', report: chosen })
    if (chosen) send({ type: 'change', values: read.values, valid: false })
  })
  const onChange = (given: Values, valid: boolean) => {
    const opened = opening.current
    opening.current = null
    if (!report) return
    if (opened?.isRun) send({ type: 'generate' })
    if (opened?.isRun && !valid) setFaults(missingInputs(report, given))
    if (opened || hasValues(current.current, report, given)) return
    setFaults([])
    const { sort, isRun } = readAddress(current.current)
    write(writeAddress(report, given, { sort, isRun: false }), { replace: !isRun })
  }
  const sendAndWrite: ReportActor['send'] = (event) => {
    const { sort } = readAddress(current.current)
    send(event)
    if (event.type === 'change') return onChange(event.values, event.valid)
    if (event.type === 'choose' || event.type === 'generate') setFaults([])
    if (event.type === 'choose')
      write(writeAddress(event.report, {}, { sort: '', isRun: false }), { replace: false })
    if (event.type === 'generate')
      write(writeAddress(report, values, { sort, isRun: true }), { replace: true })
    if (event.type === 'cancel' && snapshot.matches('generating'))
      write(writeAddress(report, values, { sort, isRun: false }), { replace: true })
  }
  const onSort = (sort: string) => {
    const { isRun } = readAddress(current.current)
    write(writeAddress(report, isRun ? snapshot.context.resultValues : values, { sort, isRun }), {
      replace: true,
    })
  }
  return { send: sendAndWrite, faults, formKey, sort: readAddress(search).sort, onSort }
}
