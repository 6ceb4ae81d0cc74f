import { Button, Callout, Dialog, DialogBody, DialogFooter, Tag } from '@blueprintjs/core'
import { useId, useMemo } from 'react'
import { Link } from 'react-router-dom'
import type { Waivers } from '../../../machines/report.machine.ts'
import {
  findingKinds,
  minWaiverReason,
  singlyWaivedKind,
  type Finding,
  type FindingKind,
} from '../../../schemas/api/months/months.ts'
import { schemaErrors } from '../../forms/errors.ts'
import { runtimeValidator } from '../../forms/runtimeValidator.ts'
import { ValidatedForm } from '../../forms/ValidatedForm.tsx'
import { formatCount, formatDollars } from '../../parts/format.ts'

type Props = {
  month: string
  findings: readonly Finding[]
  /** What was given before and failed to be stored. */
  waivers: Waivers | null
  busy: boolean
  onWaive: (waivers: Waivers) => void
  onCancel: () => void
}

/** What keeps a month from being locked, by kind, and the reasons that waive it (months 10). */
export const ReportFindings = ({ month, findings, waivers, busy, onWaive, onCancel }: Props) => {
  const formId = useId()
  const isStopped = findings.some(({ severity }) => severity === 'stop')
  return (
    <Dialog
      isOpen
      title="Lock Report"
      className="lock-findings"
      canOutsideClickClose={false}
      shouldReturnFocusOnClose={false}
      transitionDuration={100}
      onClose={() => {
        if (!busy) onCancel()
      }}
    >
      <DialogBody>
        {isStopped ? (
          <Callout compact intent="danger">
            {month} cannot be locked before this is put right. It cannot be waived.
          </Callout>
        ) : (
          <p>
            {formatCount(findings.length)} {findings.length === 1 ? 'warning is' : 'warnings are'} not waived.
            The reasons are kept with the lock, under your name.
          </p>
        )}
        {groupsOf(findings).map((group) => (
          <FindingGroup key={group[0]!.kind} findings={group} />
        ))}
        {!isStopped && (
          <WaiverForm key={signatureOf(findings)} {...{ formId, findings, waivers, busy, onWaive }} />
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" disabled={busy} autoFocus={isStopped} onClick={onCancel} />
            {!isStopped && <Button text="Lock" intent="danger" type="submit" form={formId} loading={busy} />}
          </>
        }
      />
    </Dialog>
  )
}

const groupsOf = (findings: readonly Finding[]): Finding[][] =>
  [...new Set(findings.map(({ kind }) => kind))].map((kind) => findings.filter((it) => it.kind === kind))

/** The most findings of a kind that are shown; the report Month Checklist lists all. */
const maxShown = 50
/** Kinds with at most so many are shown open. */
const maxOpen = 3

const FindingGroup = ({ findings }: { findings: readonly Finding[] }) => {
  const [{ kind, what }] = findings as [Finding]
  const amounts = findings.flatMap(({ amount }) => (amount === null ? [] : [amount]))
  const rest = findings.length - maxShown
  return (
    <details className="finding-group" open={findings.length <= maxOpen}>
      <summary>
        <span className="finding-what">{findingKinds[kind as FindingKind]?.what ?? what}</span>
        <Tag minimal round>
          {formatCount(findings.length)}
        </Tag>
        {amounts.length > 0 && (
          <span className="finding-sum">{formatDollars(amounts.reduce((sum, it) => sum + it, 0))}</span>
        )}
      </summary>
      <ul>
        {findings.slice(0, maxShown).map((it) => (
          <li key={it.key}>
            {it.link ? <Link to={it.link}>{it.where}</Link> : it.where}
            {it.what !== findingKinds[kind as FindingKind]?.what && `: ${it.what}`}
          </li>
        ))}
      </ul>
      {rest > 0 && <p>and {formatCount(rest)} more, which Month Checklist lists</p>}
    </details>
  )
}

const isSingle = ({ kind }: Finding) => kind === singlyWaivedKind
/** The processor that a stated total is of. */
const processorOf = ({ key }: Finding) => key.slice(singlyWaivedKind.length + 1)
const longEnough = `^\\s*\\S[\\s\\S]{${minWaiverReason - 2},}\\S\\s*$`
const field = (title: string) => ({ title, type: 'string', maxLength: 1000, pattern: longEnough })
/** The reasons by field: `reason`, and one of each stated total by its place. */
const fieldsOf = (findings: readonly Finding[]) => ({
  ...(!findings.every(isSingle) && { reason: 'Reason' }),
  ...Object.fromEntries(
    findings.filter(isSingle).map((it, at) => [`stated${at}`, `Reason for ${processorOf(it)}`]),
  ),
})
const uiSchemaOf = (fields: Readonly<Record<string, string>>) => ({
  'ui:options': { groups: [{ fields: Object.keys(fields) }], label: false },
  ...Object.fromEntries(Object.keys(fields).map((name) => [name, { 'ui:widget': 'textarea', 'ui:rows': 2 }])),
})
const noFaults = {}

/** The form begins anew with other findings: a reason was given for the figures that were seen. */
const signatureOf = (findings: readonly Finding[]) =>
  JSON.stringify(findings.map(({ key, where, amount }) => [key, where, amount]))

type FormProps = Pick<Props, 'findings' | 'waivers' | 'busy' | 'onWaive'> & { formId: string }

const WaiverForm = ({ formId, findings, waivers, busy, onWaive }: FormProps) => {
  const { schema, uiSchema, transformErrors, initialValues } = useMemo(() => {
    const fields: Readonly<Record<string, string>> = fieldsOf(findings)
    const names = Object.keys(fields)
    const properties = Object.fromEntries(names.map((name) => [name, field(fields[name]!)]))
    const tooShort = names.map((name) => [
      `${name} pattern`,
      `${fields[name]} needs at least ${minWaiverReason} characters`,
    ])
    const made = { $id: 'report.waivers', type: 'object' as const, required: names, properties }
    return {
      schema: made,
      uiSchema: uiSchemaOf(fields),
      transformErrors: schemaErrors(made, Object.fromEntries(tooShort), []),
      // Sent again also when stated totals alone are left to be asked for.
      initialValues: waivers === null ? {} : { reason: waivers.reason },
    }
    // What is sent from this form stands in it already.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [findings])
  return (
    <ValidatedForm
      {...{ formId, schema, uiSchema, busy, transformErrors, initialValues }}
      faults={noFaults}
      validator={runtimeValidator}
      onValues={() => {}}
      onSubmit={(values) => onWaive(waiversOf(findings, values))}
    />
  )
}

const waiversOf = (findings: readonly Finding[], values: Record<string, unknown>): Waivers => ({
  reason: String(values['reason'] ?? ''),
  stated: Object.fromEntries(
    findings.filter(isSingle).map(({ key }, at) => [key, String(values[`stated${at}`] ?? '')]),
  ),
})
