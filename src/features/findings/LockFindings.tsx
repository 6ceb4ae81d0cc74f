import { Button, Callout, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useId, useMemo, type ReactNode } from 'react'
import type { Waivers } from '../../../machines/report.machine.ts'
import { minWaiverReason, singlyWaivedKind, type Finding } from '../../../schemas/api/months/months.ts'
import { schemaErrors } from '../../forms/errors.ts'
import { runtimeValidator } from '../../forms/runtimeValidator.ts'
import { ValidatedForm } from '../../forms/ValidatedForm.tsx'
import { formatCount } from '../../parts/format.ts'
import { useFocusBack } from '../../parts/hooks/focusBack.ts'
import { changedValues, useDraft } from '../../parts/unsaved/useDraft.tsx'
import { FindingGroups, type ShownKind } from './FindingGroups.tsx'

type Props = {
  title: string
  month: string
  /** All of them, or the first of each kind in `kinds`. */
  findings: readonly Finding[]
  kinds?: readonly ShownKind[] | undefined
  /** What was given before and failed to be stored. */
  waivers: Waivers | null
  busy: boolean
  onWaive: (waivers: Waivers) => void
  onCancel: () => void
  /** What locking means, where nobody was asked before. */
  children?: ReactNode
}

/** What keeps a month from being locked, by kind, and the reasons that waive it (months 10). */
export const LockFindings = (props: Props) => {
  const { title, month, findings, kinds, waivers, busy, onWaive, onCancel, children } = props
  const count = kinds?.reduce((sum, it) => sum + it.count, 0) ?? findings.length
  const formId = useId()
  const isStopped = findings.some(({ severity }) => severity === 'stop')
  const isClean = findings.length === 0
  useFocusBack()
  const lockButton = isClean
    ? { onClick: () => onWaive({ reason: '', stated: {} }) }
    : ({ type: 'submit', form: formId } as const)
  return (
    <Dialog
      isOpen
      title={title}
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
          children
        )}
        {!isStopped && !isClean && (
          <p>
            {formatCount(count)} {count === 1 ? 'warning is' : 'warnings are'} not waived. The reasons are
            kept with the lock, under your name.
          </p>
        )}
        <FindingGroups {...{ findings, kinds }} />
        {!isStopped && !isClean && (
          <WaiverForm key={signatureOf(findings)} {...{ formId, month, findings, waivers, busy, onWaive }} />
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" disabled={busy} autoFocus={isStopped || isClean} onClick={onCancel} />
            {!isStopped && <Button text="Lock" intent="danger" loading={busy} {...lockButton} />}
          </>
        }
      />
    </Dialog>
  )
}

const isSingle = ({ kind }: Finding) => kind === singlyWaivedKind
/** The processor that a stated total is of. */
const processorOf = ({ key }: Finding) => key.slice(singlyWaivedKind.length + 1)
const longEnough = `^\\s*\\S[\\s\\S]{${minWaiverReason - 2},}\\S\\s*$`
const field = (title: string) => ({ title, type: 'string', maxLength: 1000, pattern: longEnough })
/** The reasons by field: `reason`, and one of each stated total by its place. */
const fieldsOf = (findings: readonly Finding[]) => ({
  ...(!findings.every(isSingle) && {
    reason: findings.some(isSingle) ? 'Reason for all others' : 'Reason',
  }),
  ...Object.fromEntries(
    findings.filter(isSingle).map((it, at) => [`stated${at}`, `Reason for ${processorOf(it)}`]),
  ),
})
const uiSchemaOf = (fields: Readonly<Record<string, string>>) => ({
  'ui:options': { groups: [{ fields: Object.keys(fields) }], label: false },
  ...Object.fromEntries(Object.keys(fields).map((name) => [name, { 'ui:widget': 'textarea', 'ui:rows': 2 }])),
})
const noFaults = {}
const noValues = {}

/** A reason was given for the figures that were seen: it is neither left nor offered for others. */
export const signatureOf = (findings: readonly Finding[]) =>
  JSON.stringify(findings.map(({ key, where, amount }) => [key, where, amount]))

type FormProps = Pick<Props, 'month' | 'findings' | 'waivers' | 'busy' | 'onWaive'> & { formId: string }

const WaiverForm = ({ formId, month, findings, waivers, busy, onWaive }: FormProps) => {
  const draft = useDraft(['lock', month, signatureOf(findings)])
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
    <>
      {draft.offer}
      <ValidatedForm
        key={draft.restored ? 'restored' : 'fresh'}
        {...{ formId, schema, uiSchema, busy, transformErrors }}
        initialValues={{ ...initialValues, ...draft.restored }}
        faults={noFaults}
        validator={runtimeValidator}
        onValues={(values) => draft.type(changedValues(values, noValues))}
        onSubmit={(values) => {
          draft.forget()
          onWaive(waiversOf(findings, values))
        }}
      />
    </>
  )
}

const waiversOf = (findings: readonly Finding[], values: Record<string, unknown>): Waivers => ({
  reason: String(values['reason'] ?? ''),
  stated: Object.fromEntries(
    findings.filter(isSingle).map(({ key }, at) => [key, String(values[`stated${at}`] ?? '')]),
  ),
})
