import { screen } from '@testing-library/dom'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entities } from '../../schemas/entities/index.ts'
import { openTestPortal, type TestPortal } from '../testPortal.ts'
import { formOf, openAs } from './screens.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal()
}, 60_000)
afterAll(() => portal.close())

/** The required fields of a new record with their messages (lists 8), in the order of the form. */
const required: Record<string, [label: string, sentence: string][]> = {
  masteragent: [
    ['Name', 'Name is required'],
    ['Parent', 'Parent ID is required'],
  ],
  equipment: [
    ['Model', 'Model is required'],
    ['Serial Number', 'Serial Number is required'],
  ],
  merchant: [
    ['XMID', 'XMID is required'],
    ['DBA', 'DBA is required'],
    ['Master Agent', 'Master Agent ID is required'],
  ],
  user: [
    ['Username', 'Username is required'],
    ['Password', 'Password is required'],
    ['Confirm Password', 'Confirm Password is required'],
    ['Master Agent', 'Master Agent is required'],
  ],
  tc: [['Text', 'Text is required']],
  adjustment: [
    ['Month', 'Month is required'],
    ['Amount', 'Amount is required'],
    ['Master Agent', 'Choose a master agent or a merchant'],
    ['Reason', 'Reason is required'],
  ],
  processor: [['Name', 'Name is required']],
  processorstatement: [
    ['Processor', 'Processor is required'],
    ['Month', 'Month is required'],
    ['Stated Net', 'Stated Net is required, unless there is no file this month'],
  ],
}
/** The fields that are typed and may hold any text. */
const typed = [
  'Name',
  'Model',
  'Serial Number',
  'XMID',
  'DBA',
  'Username',
  'Password',
  'Text',
  'Reason',
  'Processor',
]
const shown = () => [...document.querySelectorAll('.form-fault')].map((fault) => fault.textContent)
/** The form says exactly this, as soon as it is drawn. */
const says = (sentences: string[]) => expect.poll(shown, { timeout: 4_000 }).toEqual(sentences)
const open = async (name: string) => {
  const it = entities[name]!
  const tab = await openAs(portal, 'admin', `${it.path}?open=new`)
  return { ...tab, form: await formOf(it) }
}

describe.each(Object.entries(required))('a new %s', (name, fields) => {
  test('shows no message at first, names every missing field after an attempt to save, and sends nothing', async () => {
    const count = async () => (await portal.db.query(`select count(*) from ${entities[name]!.table}`))[0]
    const before = await count()
    const { user, form } = await open(name)
    await says([])
    await user.click(form.getByRole('button', { name: 'Save' }))
    await says(fields.map(([, sentence]) => sentence))
    for (const [label, sentence] of fields)
      expect(form.getByLabelText(label)).toHaveAccessibleDescription(sentence)
    expect(form.getByLabelText(fields[0]![0])).toHaveFocus()
    expect(await count()).toEqual(before)
  })

  test('shows that a typed field is required as soon as that field was edited', async () => {
    const { user, form } = await open(name)
    for (const [label, sentence] of fields.filter(([one]) => typed.includes(one))) {
      await user.type(form.getByLabelText(label), 'x')
      await says([])
      await user.clear(form.getByLabelText(label))
      await says([sentence])
      await user.type(form.getByLabelText(label), 'y')
      await says([])
    }
  })
})

describe('a chosen record that is removed again', () => {
  test.each([
    ['masteragent', 'Parent', /House|0 - None/, 'Parent ID is required'],
    ['merchant', 'Master Agent', /^MA0001/, 'Master Agent ID is required'],
    ['user', 'Master Agent', /^1 - /, 'Master Agent is required'],
  ])('of a %s makes the form show that %s is required', async (name, label, option, sentence) => {
    const { user, form } = await open(name)
    await user.click(form.getByLabelText(label))
    await user.click((await form.findAllByRole('option', { name: option }))[0]!)
    await says([])
    await user.clear(form.getByLabelText(label))
    await says([sentence])
  })
})

test('two different passwords show a message from the first edit of the second until they are equal', async () => {
  const { user, form } = await open('user')
  await user.type(form.getByLabelText('Password'), 'correct horse')
  await says([])
  await user.type(form.getByLabelText('Confirm Password'), 'correct')
  await says(['Passwords do not match'])
  await user.type(form.getByLabelText('Confirm Password'), ' horse')
  await says([])
  await user.clear(form.getByLabelText('Confirm Password'))
  await says(['Confirm Password is required'])
})

test('a collection subscription needs an amount and notes, with a message after an edit or an attempt to save; rows are added and removed', async () => {
  const { user, form } = await open('masteragent')
  const add = form.getByRole('button', { name: /Add/ })
  await user.click(add)
  await user.click(add)
  expect(form.getAllByLabelText('Amount')).toHaveLength(2)
  await says([])
  await user.type(form.getAllByLabelText('Amount')[0]!, '5')
  await user.clear(form.getAllByLabelText('Amount')[0]!)
  await says(['Amount is required'])
  await user.click(form.getByRole('button', { name: 'Save' }))
  const both = ['Amount is required', 'Notes is required']
  await says(['Name is required', 'Parent ID is required', ...both, ...both])
  await user.click(form.getAllByRole('button', { name: 'Remove' })[1]!)
  await says(['Name is required', 'Parent ID is required', ...both])
  await user.click(form.getByRole('button', { name: 'Remove' }))
  expect(form.queryByLabelText('Amount')).toBeNull()
})

/** What is wrong with a text, by field in the order of the form. */
const wrong: Record<string, [label: string, text: string, sentence: string][]> = {
  masteragent: [
    ['Percentage Commission Received', '101', 'Percentage Commission Received may be at most 100'],
    ['Routing #', '123456789', 'Routing # must be nine digits that pass the ABA checksum'],
    ['Bank Account #', '12', 'Bank Account # must be 4 to 17 digits'],
    ['Tax Id', '12', 'Tax Id must be nine digits, as 123-45-6789 or 12-3456789'],
  ],
  equipment: [
    ['Cost', '-1', 'Cost must be at least 0'],
    ['Sold For', '1.005', 'Sold For may have at most 2 decimals'],
    ['Paid So Far', 'abc', 'Paid So Far must be a number'],
  ],
  user: [['Username', 'bob ', 'Username may neither begin nor end with a space']],
  adjustment: [['Amount', '0', 'Amount may not be 0']],
  processorstatement: [['Stated Net', '1.005', 'Stated Net may have at most 2 decimals']],
}
test.each(Object.entries(wrong))(
  'a new %s says at each field what is wrong with its text',
  async (name, fields) => {
    const { user, form } = await open(name)
    for (const [label, text, sentence] of fields) {
      await user.clear(form.getByLabelText(label))
      await user.type(form.getByLabelText(label), text)
      await expect.poll(() => form.getByLabelText(label)).toHaveAccessibleDescription(sentence)
    }
    await says(fields.map(([, , sentence]) => sentence))
  },
)

test('equipment requires only a model and a serial number (equipment 3)', async () => {
  const { user, form } = await open('equipment')
  await user.type(form.getByLabelText('Model'), 'T')
  await user.type(form.getByLabelText('Serial Number'), 'only-this')
  await user.click(form.getByRole('button', { name: 'Save' }))
  await expect.poll(() => screen.queryByRole('dialog'), { timeout: 8_000 }).toBeNull()
  expect(
    await portal.db.query(
      `select cost, soldfor, paidsofar, equipmentownertypeid from equipment where serialnumber = 'only-this'`,
    ),
  ).toEqual([{ cost: 0, soldfor: 0, paidsofar: 0, equipmentownertypeid: null }])
})
