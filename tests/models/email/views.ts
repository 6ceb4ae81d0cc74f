import { genericText } from '../../../src/api/failure.ts'
import { ok, type Step } from '../lib/drivers/driver.ts'
import { same } from '../lib/merchants.ts'

export const dialog = 'Email Validation'
export const address = 'clerk@mail.example.com'
export const request = 'POST /api/v1/user/requestemailverification'
export const verify = 'POST /api/v1/user/verifyemail'
export const renew = 'PUT /api/v1/renew'

const card = 'Validate your email to see support tickets'

type Look = {
  field: 'Email' | 'Code'
  /** What stands in it; '*' for something of the test's own. */
  value?: string
  /** Said under it. */
  fault?: string | RegExp
  button?: 'enabled' | 'disabled'
  isBusy?: true
}

/** Everything that can be distinguished in the dialog, so that nothing else is there either. */
const step =
  ({ field, value = '', fault, button = 'disabled', isBusy }: Look): Step =>
  async (it) => {
    same([await it.count('dialog'), await it.count('dialog', dialog)], [1, 1], 'dialogs')
    same(
      [await it.count('textbox', 'Email'), await it.count('textbox', 'Code')],
      field === 'Email' ? [1, 0] : [0, 1],
      'fields',
    )
    if (value !== '*') same(await it.value(field), value, field)
    const { invalid, description, focused } = await it.state('textbox', field, { dialog })
    if (!fault && !isBusy) same(focused, true, `${field} has the focus`)
    same(invalid, fault !== undefined, 'it is marked')
    if (fault instanceof RegExp) ok(fault.test(description), `said: ${description}`)
    else same(description, fault ?? '', 'said')
    const submit = field === 'Email' ? 'Validate' : 'Submit'
    same(
      (await it.state('button', submit, { dialog })).disabled,
      button === 'disabled',
      `${submit} is disabled`,
    )
    same(await it.count('button', 'Back', { dialog }), field === 'Code' ? 1 : 0, 'Back')
    if (field === 'Code') {
      same((await it.state('button', 'Back', { dialog })).disabled, isBusy === true, 'Back is disabled')
      ok(await it.shows(address), 'the address is not shown')
    }
  }

export const observe: Record<string, Step> = {
  'nobody is there': async (it) => same(it.network.log.length, 0, 'calls'),
  card: async (it) => {
    ok(!(await it.count('dialog')), 'a dialog is open')
    same(await it.count('complementary', 'Support'), 1, 'cards')
    ok((await it.text('complementary', 'Support')).includes(card), `'${card}' is not said`)
    ok(!(await it.state('button', 'Validate')).disabled, 'Validate cannot be pressed')
  },
  'email step': step({ field: 'Email' }),
  'email step again': step({ field: 'Email' }),
  'half an address': step({ field: 'Email', value: 'clerk@mail' }),
  'email refused': step({
    field: 'Email',
    value: address,
    button: 'enabled',
    fault: /^The email could not be sent\./,
  }),
  'email unanswered': step({ field: 'Email', value: address, button: 'enabled', fault: genericText }),
  'email refused for haste': step({
    field: 'Email',
    value: address,
    button: 'enabled',
    fault: /^A code was sent a moment ago\. Please try again in (\d+ seconds?|1 minute)\.$/,
  }),
  sending: step({ field: 'Email', value: address, isBusy: true }),
  'code step': step({ field: 'Code' }),
  'five digits': step({ field: 'Code', value: '12345' }),
  'code refused': step({
    field: 'Code',
    value: '*',
    button: 'enabled',
    fault: 'This code is not right. You have 4 attempts left.',
  }),
  'code expired': step({
    field: 'Code',
    value: '*',
    button: 'enabled',
    fault: 'This code has expired. Please go back and ask for a new one.',
  }),
  'code unanswered': step({
    field: 'Code',
    value: '*',
    button: 'enabled',
    fault: 'Answered 500 by the test',
  }),
  verifying: step({ field: 'Code', value: '*', isBusy: true }),
  portal: async (it) => {
    ok(!(await it.count('dialog')), 'a dialog is open')
    same(await it.count('complementary'), 0, 'cards')
    ok(await it.count('button', 'Welcome, clerk'), 'not in the portal')
  },
}
