import type { ErrorSchema, RJSFSchema, UiSchema } from '@rjsf/utils'
import validator from '@rjsf/validator-ajv8'
import { render, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { ThemedForm } from '../../../src/forms/theme.ts'
import { newUser } from '../newUser.ts'
import { perceivedIn } from './perceived.ts'

type Given = {
  ui?: UiSchema
  data?: unknown
  errors?: string[]
  disabled?: boolean
  readonly?: boolean
  required?: boolean
}

/** A form of this schema alone; its own lines without the button that submits it. */
const draw = (schema: RJSFSchema, { ui, data, errors, ...given }: Given = {}) => {
  const onChange = vi.fn()
  const { container } = render(
    <ThemedForm
      schema={schema}
      uiSchema={{ 'ui:submitButtonOptions': { norender: true }, ...ui }}
      formData={data}
      validator={validator}
      extraErrors={(errors ? { __errors: errors } : {}) as ErrorSchema}
      onChange={({ formData }) => onChange(formData)}
      noHtml5Validate
      {...given}
    />,
  )
  return { container, onChange, lines: perceivedIn(container) }
}

const choices: RJSFSchema = { type: 'string', title: 'Colour', enum: ['red', 'green'] }
const numbered: RJSFSchema = {
  title: 'Size',
  type: 'integer',
  oneOf: [
    { const: 1, title: 'Small' },
    { const: 2, title: 'Large' },
  ],
}

describe('a field of each kind is seen as this control with this name and value', () => {
  test.each<[string, RJSFSchema, Given, string[]]>([
    ['a text', { type: 'string', title: 'City' }, { data: 'Leeds' }, ['textbox "City" = "Leeds"']],
    ['a text without a value', { type: 'string', title: 'City' }, {}, ['textbox "City" = ""']],
    ['a text without a title', { type: 'string' }, { data: 'Leeds' }, ['textbox "" = "Leeds"']],
    [
      'an e-mail address',
      { type: 'string', title: 'Email', format: 'email' },
      { data: 'a@b.c' },
      ['textbox "Email" = "a@b.c", type email'],
    ],
    [
      'a web address',
      { type: 'string', title: 'Site', format: 'uri' },
      { data: 'https://a.b' },
      ['textbox "Site" = "https://a.b", type url'],
    ],
    [
      'a day',
      { type: 'string', title: 'Day', format: 'date' },
      { data: '2026-02-28' },
      ['date "Day" = "2026-02-28"'],
    ],
    [
      'a number',
      { type: 'number', title: 'Cost' },
      { data: 2.5 },
      ['textbox "Cost" = "2.5", inputmode decimal'],
    ],
    [
      'the number 0',
      { type: 'number', title: 'Cost' },
      { data: 0 },
      ['textbox "Cost" = "0", inputmode decimal'],
    ],
    [
      'a whole number',
      { type: 'integer', title: 'Days' },
      { data: 30 },
      ['textbox "Days" = "30", inputmode numeric'],
    ],
    [
      'a number that may be missing',
      { type: ['integer', 'null'], title: 'Days' },
      { data: null },
      ['textbox "Days" = "", inputmode numeric'],
    ],
    [
      'a paragraph',
      { type: 'string', title: 'Note' },
      { ui: { 'ui:widget': 'textarea' }, data: 'a\nb' },
      ['textbox "Note" = "a\\nb"'],
    ],
    [
      'a password',
      { type: 'string', title: 'Secret' },
      { ui: { 'ui:widget': 'password' }, data: 'x' },
      ['password "Secret" = "x", autocomplete new-password'],
    ],
    [
      'an amount',
      { type: 'number', title: 'Cost' },
      { ui: { 'ui:widget': 'dollars' }, data: 2.5 },
      ['text "$"', 'textbox "Cost" = "2.5", inputmode decimal'],
    ],
    [
      'a share',
      { type: 'number', title: 'Share' },
      { ui: { 'ui:widget': 'percent' }, data: 12.5 },
      ['textbox "Share" = "12.5", inputmode decimal', 'text "%"'],
    ],
    ['a ticked flag', { type: 'boolean', title: 'Paid' }, { data: true }, ['checkbox "Paid", on']],
    ['a flag that is not ticked', { type: 'boolean', title: 'Paid' }, { data: false }, ['checkbox "Paid"']],
    [
      'a choice',
      choices,
      { data: 'green' },
      ['combobox "Colour"', 'option ""', 'option "red"', 'option "green", on'],
    ],
    [
      'a choice not yet made',
      choices,
      { ui: { 'ui:placeholder': 'Select an Option' } },
      ['combobox "Colour"', 'option "Select an Option", on', 'option "red"', 'option "green"'],
    ],
    [
      'a choice that has a default',
      { ...choices, default: 'red' },
      {},
      ['combobox "Colour"', 'option "red", on', 'option "green"'],
    ],
    [
      'a choice of names for numbers',
      numbered,
      { data: 2 },
      ['combobox "Size"', 'option ""', 'option "Small"', 'option "Large", on'],
    ],
    [
      'a choice with one option out of reach',
      choices,
      { ui: { 'ui:enumDisabled': ['green'] } },
      ['combobox "Colour"', 'option "", on', 'option "red"', 'option "green", disabled'],
    ],
    [
      'several choices',
      { type: 'array', title: 'Colours', items: { ...choices, title: '' }, uniqueItems: true },
      { data: ['red'] },
      ['listbox "", multiple', 'option "red", on', 'option "green"'],
    ],
    [
      'a text with examples',
      { type: 'string', title: 'City', examples: ['Leeds', 'York'] },
      {},
      ['combobox "City" = ""', 'listbox ""', 'suggestion "Leeds"', 'suggestion "York"'],
    ],
    ['a hidden field', { type: 'string', title: 'City' }, { ui: { 'ui:widget': 'hidden' }, data: 'x' }, []],
    [
      'a field whose label is off',
      { type: 'string', title: 'City' },
      { ui: { 'ui:label': false } },
      ['textbox "" = ""'],
    ],
    [
      'a field with a title of its own',
      { type: 'string', title: 'City' },
      { ui: { 'ui:title': 'Town' } },
      ['textbox "Town" = ""'],
    ],
    [
      'a field with a placeholder',
      { type: 'string', title: 'City' },
      { ui: { 'ui:placeholder': 'Leeds' } },
      ['textbox "City" = "", placeholder Leeds'],
    ],
  ])('%s', (_, schema, given, lines) => expect(draw(schema, given).lines).toEqual(lines))
})

describe('the texts beside a field describe it', () => {
  const city: RJSFSchema = { type: 'string', title: 'City' }
  const reason = 'Needs the permission manage_users'
  test.each<[string, RJSFSchema, Given, string[]]>([
    [
      'a description',
      { ...city, description: 'Where it is' },
      {},
      ['text "Where it is"', 'textbox "City" = "", "Where it is"'],
    ],
    [
      'a description of the screen',
      city,
      { ui: { 'ui:description': 'Where it is' } },
      ['text "Where it is"', 'textbox "City" = "", "Where it is"'],
    ],
    [
      'help',
      city,
      { ui: { 'ui:help': 'As on the statement' } },
      ['textbox "City" = "", "As on the statement"', 'text "As on the statement"'],
    ],
    [
      'an error',
      city,
      { errors: ['City is taken'] },
      ['textbox "City" = "", invalid, "City is taken"', 'text "City is taken"'],
    ],
    [
      'two errors',
      city,
      { errors: ['City is taken', 'City is far', 'City is taken'] },
      ['textbox "City" = "", invalid, "City is taken. City is far"', 'text "City is taken. City is far"'],
    ],
    [
      'all of them, the error first',
      { ...city, description: 'Where' },
      { ui: { 'ui:help': 'Help' }, errors: ['Wrong'] },
      [
        'text "Where"',
        'textbox "City" = "", invalid, "Wrong", "Where", "Help"',
        'text "Wrong"',
        'text "Help"',
      ],
    ],
    [
      'why it is disabled',
      city,
      { ui: { 'ui:disabled': true, 'ui:reason': reason } },
      [
        'textbox "City" = "", disabled, "Needs the permission manage_users"',
        'text "Needs the permission manage_users"',
      ],
    ],
    [
      'why it is read-only',
      city,
      { ui: { 'ui:readonly': true, 'ui:reason': reason }, data: 'Leeds' },
      [
        'textbox "City" = "Leeds", readonly, "Needs the permission manage_users"',
        'text "Needs the permission manage_users"',
      ],
    ],
    ['no reason while it is open', city, { ui: { 'ui:reason': reason } }, ['textbox "City" = ""']],
    [
      'an error of a choice',
      choices,
      { errors: ['Colour is sold out'] },
      [
        'combobox "Colour", invalid, "Colour is sold out"',
        'option "", on',
        'option "red"',
        'option "green"',
        'text "Colour is sold out"',
      ],
    ],
    [
      'an error of a flag',
      { type: 'boolean', title: 'Paid' },
      { errors: ['Paid is unknown'] },
      ['checkbox "Paid", invalid, "Paid is unknown"', 'text "Paid is unknown"'],
    ],
    [
      'an error of a paragraph',
      city,
      { ui: { 'ui:widget': 'textarea' }, errors: ['Too short'] },
      ['textbox "City" = "", invalid, "Too short"', 'text "Too short"'],
    ],
  ])('%s', (_, schema, given, lines) => expect(draw(schema, given).lines).toEqual(lines))
})

describe('a form that is disabled, read-only or required is so in every field', () => {
  const every: RJSFSchema = {
    type: 'object',
    properties: {
      city: { type: 'string', title: 'City' },
      note: { type: 'string', title: 'Note' },
      colour: choices,
      paid: { type: 'boolean', title: 'Paid' },
      lines: { type: 'array', title: 'Lines', items: { type: 'string', title: 'Line' } },
    },
  }
  const ui = { note: { 'ui:widget': 'textarea' } }
  const data = { city: 'Leeds', note: 'a', colour: 'red', paid: true, lines: ['one'] }
  test.each<[string, RJSFSchema, Given, string[]]>([
    [
      'disabled',
      every,
      { disabled: true },
      [
        'textbox "City" = "Leeds", disabled',
        'textbox "Note" = "a", disabled',
        'combobox "Colour", disabled',
        'option ""',
        'option "red", on',
        'option "green"',
        'checkbox "Paid", disabled, on',
        'group "Lines"',
        'textbox "Line" = "one", required, disabled',
        'button "Remove", disabled',
        'button "Add Item", disabled',
      ],
    ],
    [
      'read-only',
      every,
      { readonly: true },
      [
        'textbox "City" = "Leeds", readonly',
        'textbox "Note" = "a", readonly',
        'combobox "Colour", disabled',
        'option ""',
        'option "red", on',
        'option "green"',
        'checkbox "Paid", disabled, on',
        'group "Lines"',
        'textbox "Line" = "one", required, readonly',
        'button "Remove", disabled',
        'button "Add Item", disabled',
      ],
    ],
    [
      'required',
      { ...every, required: ['city', 'note', 'colour', 'lines'] },
      {},
      [
        'textbox "City" = "Leeds", required',
        'textbox "Note" = "a", required',
        'combobox "Colour", required',
        'option "red", on',
        'option "green"',
        'checkbox "Paid", on',
        'group "Lines"',
        'textbox "Line" = "one", required',
        'button "Remove"',
        'button "Add Item"',
      ],
    ],
  ])('%s', (_, schema, given, lines) => expect(draw(schema, { ui, data, ...given }).lines).toEqual(lines))

  test('the label of a required field is marked, that of another is not', () => {
    draw({ ...every, required: ['city'] }, { ui, data })
    expect(screen.getByText('City')).toHaveClass('form-required')
    expect(screen.getByText('Note')).not.toHaveClass('form-required')
  })
})

describe('fields inside of fields', () => {
  const person: RJSFSchema = {
    type: 'object',
    title: 'Person',
    description: 'Whom to call',
    properties: {
      name: { type: 'string', title: 'Name' },
      home: { type: 'object', title: 'Home', properties: { city: { type: 'string', title: 'City' } } },
    },
  }
  const grouped = {
    'ui:options': {
      groups: [{ title: 'Where', fields: ['home'] }, { fields: ['name'] }],
    },
  }
  const names: RJSFSchema = {
    type: 'array',
    title: 'Names',
    description: 'One to a line',
    items: { type: 'string', title: 'Name' },
  }
  const pair: RJSFSchema = {
    type: 'array',
    title: 'Pair',
    items: [
      { type: 'string', title: 'Key' },
      { type: 'number', title: 'Value' },
    ],
    additionalItems: { type: 'boolean', title: 'More' },
  }
  const people: RJSFSchema = {
    type: 'array',
    title: 'People',
    items: { ...person, title: 'One', description: '' },
  }
  test.each<[string, RJSFSchema, Given, string[]]>([
    [
      'a record',
      person,
      { data: { name: 'Ann', home: { city: 'Leeds' } } },
      [
        'group "Person"',
        'text "Whom to call"',
        'textbox "Name" = "Ann"',
        'group "Home"',
        'textbox "City" = "Leeds"',
      ],
    ],
    [
      'a record in named groups',
      person,
      { ui: grouped },
      [
        'group "Person"',
        'text "Whom to call"',
        'group "Where"',
        'group "Home"',
        'textbox "City" = ""',
        'textbox "Name" = ""',
      ],
    ],
    [
      'a record without a title',
      { ...person, title: undefined, description: undefined },
      {},
      ['textbox "Name" = ""', 'group "Home"', 'textbox "City" = ""'],
    ],
    [
      'an error of a record',
      person,
      { errors: ['Somebody has this name'] },
      [
        'group "Person"',
        'text "Whom to call"',
        'textbox "Name" = ""',
        'group "Home"',
        'textbox "City" = ""',
        'text "Somebody has this name"',
      ],
    ],
    ['an empty list', names, { data: [] }, ['group "Names"', 'text "One to a line"', 'button "Add Item"']],
    [
      'a list',
      names,
      { data: ['Ann', 'Bob'] },
      [
        'group "Names"',
        'text "One to a line"',
        'textbox "Name" = "Ann", required',
        'button "Move up", disabled',
        'button "Move down"',
        'button "Remove"',
        'textbox "Name" = "Bob", required',
        'button "Move up"',
        'button "Move down", disabled',
        'button "Remove"',
        'button "Add Item"',
      ],
    ],
    [
      'a list that can be copied',
      names,
      { ui: { 'ui:copyable': true }, data: ['Ann'] },
      [
        'group "Names"',
        'text "One to a line"',
        'textbox "Name" = "Ann", required',
        'button "Copy"',
        'button "Remove"',
        'button "Add Item"',
      ],
    ],
    [
      'a list that cannot be ordered',
      names,
      { ui: { 'ui:orderable': false }, data: ['Ann', 'Bob'] },
      [
        'group "Names"',
        'text "One to a line"',
        'textbox "Name" = "Ann", required',
        'button "Remove"',
        'textbox "Name" = "Bob", required',
        'button "Remove"',
        'button "Add Item"',
      ],
    ],
    [
      'a list that cannot be changed in length',
      names,
      { ui: { 'ui:addable': false, 'ui:removable': false, 'ui:orderable': false }, data: ['Ann'] },
      ['group "Names"', 'text "One to a line"', 'textbox "Name" = "Ann", required'],
    ],
    [
      'a list with a title of the screen',
      names,
      { ui: { 'ui:title': 'People', 'ui:description': 'All' }, data: [] },
      ['group "People"', 'text "All"', 'button "Add Item People"'],
    ],
    [
      'a list of fixed places',
      pair,
      { data: ['a', 1, true] },
      [
        'group "Pair"',
        'textbox "Key" = "a", required',
        'textbox "Value" = "1", required, inputmode decimal',
        'checkbox "More", required, on',
        'button "Remove"',
        'button "Add Item"',
      ],
    ],
    [
      'a list of records',
      people,
      { data: [{ name: 'Ann', home: { city: 'York' } }] },
      [
        'group "People"',
        'group "One"',
        'textbox "Name" = "Ann"',
        'group "Home"',
        'textbox "City" = "York"',
        'button "Remove"',
        'button "Add Item"',
      ],
    ],
    [
      'an error of a list',
      { ...names, description: '' },
      { data: [], errors: ['Names are missing'] },
      ['group "Names"', 'button "Add Item"', 'text "Names are missing"'],
    ],
  ])('%s', (_, schema, given, lines) => expect(draw(schema, given).lines).toEqual(lines))

  test('a record with names of its own can have another', async () => {
    const { onChange, container } = draw(
      { type: 'object', title: 'Rates', additionalProperties: { type: 'number' } },
      { data: { first: 1 } },
    )
    expect(perceivedIn(container)).toEqual([
      'group "Rates"',
      'textbox "first Key" = "first"',
      'textbox "first" = "1", inputmode decimal',
      'button "Remove"',
      'button "Add Item"',
    ])
    await newUser().click(screen.getByRole('button', { name: 'Add Item' }))
    expect(onChange).toHaveBeenLastCalledWith(expect.objectContaining({ first: 1, newKey: 0 }))
  })

  test('the buttons that are signs alone say what they do when they are pointed at', () => {
    draw(names, { ui: { 'ui:copyable': true }, data: ['Ann', 'Bob'] })
    const titles = screen.getAllByRole('button').map((it) => [it.textContent, it.getAttribute('title')])
    const row = [
      ['', 'Move up'],
      ['', 'Move down'],
      ['', 'Copy'],
      ['', 'Remove'],
    ]
    expect(titles).toEqual([...row, ...row, ['Add Item', null]])
  })

  test.each([{ disabled: true }, { readonly: true }])(
    'a record with names of its own cannot have another in a form that is %j',
    async (given) => {
      const { onChange } = draw(
        { type: 'object', title: 'Rates', additionalProperties: { type: 'number' } },
        { data: { first: 1 }, ...given },
      )
      const add = screen.getByRole('button', { name: 'Add Item' })
      expect(add).toBeDisabled()
      await newUser().click(add)
      expect(onChange).not.toHaveBeenCalled()
    },
  )

  test.each([
    ['Add Item', 0, ['Ann', 'Bob', undefined]],
    ['Remove', 0, ['Bob']],
    ['Move down', 0, ['Bob', 'Ann']],
    ['Move up', 1, ['Bob', 'Ann']],
    ['Copy', 0, ['Ann', 'Ann', 'Bob']],
  ])('the button %s does what it says', async (name, at, data) => {
    const { onChange } = draw(names, { ui: { 'ui:copyable': true }, data: ['Ann', 'Bob'] })
    await newUser().click(screen.getAllByRole('button', { name: new RegExp(`^${name}`) })[at]!)
    expect(onChange).toHaveBeenLastCalledWith(data)
  })
})

describe('what is typed is understood', () => {
  test.each<[string, string, RJSFSchema, Given, unknown]>([
    ['7', 'a text', { type: 'string', title: 'It' }, {}, '7'],
    ['7', 'a whole number', { type: 'integer', title: 'It' }, {}, 7],
    ['2.50', 'a number', { type: 'number', title: 'It' }, {}, 2.5],
    ['a b', 'a paragraph', { type: 'string', title: 'It' }, { ui: { 'ui:widget': 'textarea' } }, 'a b'],
  ])('%s in %s', async (text, _, schema, given, value) => {
    const { onChange } = draw(schema, given)
    await newUser().type(screen.getByLabelText('It'), text)
    expect(onChange).toHaveBeenLastCalledWith(value)
  })

  test('a text emptied is what the screen calls empty', async () => {
    const { onChange } = draw({ type: 'string', title: 'It' }, { data: 'a', ui: { 'ui:emptyValue': '' } })
    await newUser().clear(screen.getByLabelText('It'))
    expect(onChange).toHaveBeenLastCalledWith('')
  })

  test('several choices are a list of their values', async () => {
    const schema: RJSFSchema = { type: 'array', title: 'Sizes', items: numbered, uniqueItems: true }
    const { onChange } = draw(schema, { data: [1] })
    await newUser().selectOptions(screen.getByRole('listbox'), 'Large')
    expect(onChange).toHaveBeenLastCalledWith([1, 2])
  })
})

test('a form submits by the button of its screen', () => {
  const { container } = draw(
    { type: 'string', title: 'It' },
    { ui: { 'ui:submitButtonOptions': { submitText: 'Send' } } },
  )
  expect(within(container).getByRole('button', { name: 'Send' })).toHaveAttribute('type', 'submit')
})

describe('the fields of a row', () => {
  const properties = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`f${at}`, { type: 'string', title: `F${at}` }]),
    )
  const columnsOf = (container: HTMLElement) =>
    [...container.querySelectorAll('.form-grid')].map((grid) => grid.getAttribute('data-columns'))

  test.each([
    [1, 0, '1'],
    [4, 0, '4'],
    [5, 0, '5'],
    [6, 0, '4'],
    [2, 1, '2'],
    [1, 4, '1'],
    [5, 1, '5'],
  ])('are %i in sight beside %i hidden ones, and share %s columns', (seen, hidden, columns) => {
    const names = Array.from({ length: hidden }, (_, at) => [`f${at}`, { 'ui:widget': 'hidden' }])
    const schema = { type: 'object', properties: properties(seen + hidden) } as RJSFSchema
    const { container } = draw(schema, { ui: Object.fromEntries(names) as UiSchema })
    expect(columnsOf(container)).toEqual([columns])
  })
})
