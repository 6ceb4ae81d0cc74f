import { errorTitle } from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { asked, same, statusText, xmid } from '../lib/merchants.ts'

export const formTitle = 'Create or Edit Merchant'
export const questions = {
  discard: 'Discard your changes?',
  remove: 'Are you sure you want to delete this merchant?',
  stale: 'Somebody else changed this record meanwhile',
}

const count = async (it: Driver, role: Parameters<Driver['count']>[0], name: string, wanted: number) =>
  same(await it.count(role, name), wanted, `${role} ${name}`)
const closed = async (it: Driver) => {
  same(asked(it), {}, 'address')
  ok(!(await it.count('dialog')), 'a dialog is open')
  ok(!(await it.count('alertdialog')), 'a question is open')
}
/** What the row of the third merchant says, or undefined. */
const third = async (it: Driver) => (await it.texts('row')).find((text) => text.startsWith(xmid(3)))

const list =
  (total: number, status: string | null = '', { create = true } = {}): Step =>
  async (it) => {
    await closed(it)
    same(await statusText(it), `Showing 1 to 10 of ${total}`, 'summary')
    const row = await third(it)
    same(
      row === undefined ? null : row.includes('Live') ? 'Live' : '',
      status,
      'status of the third merchant in the list',
    )
    await count(it, 'button', 'Create', create ? 1 : 0)
    // Of who may not open it, to the income of the merchant.
    await count(it, 'link', xmid(1), 1)
  }

/** The dialog of the third merchant with this in it, and no question before it. */
const form =
  (values: { Status: string; Product?: string }): Step =>
  async (it) => {
    same(asked(it), { open: '3' }, 'address')
    await count(it, 'dialog', formTitle, 1)
    await count(it, 'dialog', errorTitle, 0)
    ok(!(await it.count('alertdialog')), 'a question is open')
    for (const [label, value] of Object.entries({ XMID: xmid(3), Product: '', ...values }))
      same(await it.value(label), value, label)
    ok((await it.state('textbox', 'XMID')).disabled, 'the XMID of an existing merchant can be changed')
    await count(it, 'button', 'Delete', 1)
    ok(!(await it.state('button', 'Cancel')).disabled, 'Cancel is disabled')
  }

const asks =
  (question: string, answers: readonly string[], address: Record<string, string> = { open: '3' }): Step =>
  async (it) => {
    same(asked(it), address, 'address')
    await count(it, 'alertdialog', question, 1)
    for (const answer of answers) same(await it.count('button', answer, { dialog: question }), 1, answer)
  }
const discards = (address?: Record<string, string>) =>
  asks(questions.discard, ['Discard', 'Keep editing'], address)
const removes = asks(questions.remove, ['Delete', 'Cancel'])

const message =
  (sentence: string): Step =>
  async (it) => {
    await count(it, 'dialog', errorTitle, 1)
    ok(await it.shows(sentence), `'${sentence}' is not said`)
  }

/** A button that is busy turns, and its name is covered by that. */
const isShut = async (it: Driver, name: string, dialog: string) =>
  ok(
    (await it.count('button', name, { dialog })) === 0 ||
      (await it.state('button', name, { dialog })).disabled,
    `${name} can be pressed`,
  )

type Mark = { role: 'textbox' | 'combobox'; name: string; fault: string }
/** The dialog of a new merchant with what was typed; at most one field is marked. */
const fresh =
  (mark?: Mark): Step =>
  async (it) => {
    same(asked(it), { open: 'new' }, 'address')
    await count(it, 'dialog', errorTitle, 0)
    same(await it.value('DBA'), 'New Shop', 'DBA')
    ok((await it.value('Master Agent')).includes('Office'), 'no agent is chosen')
    await count(it, 'button', 'Delete', 0)
    for (const [role, name] of [
      ['textbox', 'XMID'],
      ['textbox', 'DBA'],
      ['combobox', 'Master Agent'],
    ] as const) {
      const { invalid, description } = await it.state(role, name)
      const wanted = mark?.name === name ? mark.fault : ''
      same(invalid ? description : '', wanted, `what is marked at ${name}`)
    }
  }

const missing = 'This merchant does not exist'
const notSaved = 'Answered 500 by the test'
const taken: Mark = { role: 'textbox', name: 'XMID', fault: 'This XMID is already taken' }
const gone: Mark = { role: 'combobox', name: 'Master Agent', fault: 'Master Agent 61 does not exist' }

export const observe: Record<string, Step> = {
  'nobody is there': async (it) => same(it.network.log.length, 0, 'calls'),
  list: list(23),
  'list, changed': list(23, 'Live'),
  'list, changed elsewhere': list(23),
  'list, one more': list(24),
  'list, one less': list(22, null),
  'list of a reassigner': list(23, '', { create: false }),
  'list of a clerk': list(23, '', { create: false }),
  'record awaited': async (it) => {
    same(asked(it), { open: '3' }, 'address')
    await count(it, 'dialog', formTitle, 1)
    same(await it.count('textbox', undefined, { dialog: formTitle }), 0, 'fields before the record is there')
    ok((await it.state('button', 'Save')).disabled, 'Save is enabled')
  },
  'message that it cannot be read': message(notSaved),
  'message that it does not exist': message(missing),
  'message that it is gone': message(missing),
  'message that it is gone, over the form': message(missing),
  form: form({ Status: '' }),
  'form, by its address': form({ Status: '' }),
  'form, changed elsewhere': form({ Status: '', Product: 'Changed elsewhere' }),
  'changed form': form({ Status: 'Live' }),
  'form of what is gone': form({ Status: 'Live' }),
  'outdated form': form({ Status: 'Live' }),
  'discard?': discards(),
  'discard?, after Back': discards(),
  'discard?, asked twice': discards(),
  'discard?, while saving': discards(),
  'discard?, over the stale one': discards(),
  'discard?, of what is gone': discards(),
  'discard?, of a new one': discards({ open: 'new' }),
  saving: async (it) => {
    same(asked(it), { open: '3' }, 'address')
    await count(it, 'dialog', formTitle, 1)
    ok(!(await it.count('alertdialog')), 'a question is open')
    for (const name of ['Cancel', 'Save', 'Delete']) await isShut(it, name, formTitle)
    same(await it.value('Status'), 'Live', 'Status')
  },
  'message that it was not saved': message(notSaved),
  'stale?': asks(questions.stale, ['Reload', 'Overwrite', 'Keep editing']),
  'delete?': removes,
  'delete?, with changes': removes,
  deleting: async (it) => {
    await asks(questions.remove, ['Cancel'])(it)
    await isShut(it, 'Delete', questions.remove)
  },
  'message that it was not deleted': message(notSaved),
  'message that it is referenced': message(
    'This merchant cannot be deleted: it has 1 terminal. An import of merchants can set it to Inactive instead.',
  ),
  'empty form': async (it) => {
    same(asked(it), { open: 'new' }, 'address')
    await count(it, 'dialog', formTitle, 1)
    for (const label of ['XMID', 'DBA', 'Master Agent']) same(await it.value(label), '', label)
    await count(it, 'button', 'Delete', 0)
  },
  'new merchant': fresh(),
  'new merchant, XMID marked': fresh(taken),
  'new merchant, agent marked': fresh(gone),
  'message that the XMID is taken': message(taken.fault),
  'message that the agent is gone': message(gone.fault),
  'form of a reassigner': async (it) => {
    same(asked(it), { open: '3' }, 'address')
    await count(it, 'button', 'Delete', 0)
    ok((await it.state('textbox', 'Product')).disabled, 'a reassigner can change the product')
    ok(!(await it.state('textbox', 'Status')).disabled, 'a reassigner cannot change the status')
  },
}
