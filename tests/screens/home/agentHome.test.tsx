import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import type { OwnHome, OwnStatement } from '../../../schemas/api/home.ts'
import { openTab, remember } from '../../journeys/open.ts'
import { replyFor, scripted } from '../../journeys/scripted.ts'

const own = endpoints.home.own.route
const statement: OwnStatement = {
  month: '2026-10',
  masteragentid: 2,
  displayid: 'MA0002',
  name: 'North',
  earned: 1200.5,
  due: 1300,
  payable: 1300,
  carryout: 0,
  paid: 0,
  effective: null,
  hold: null,
  isofficeaccount: false,
  haspayee: false,
}
const empty: OwnHome = { statement: null, months: [], account: 'known', tickets: { total: 0, newest: [] } }

const open = (home: Partial<OwnHome> | null, given: Parameters<typeof replyFor>[0] = {}) => {
  const reply = replyFor({ masteragentid: 2, email: 'a@example.com', ...given })
  remember(reply)
  const server = scripted({
    [endpoints.session.renew.route]: { body: reply },
    [own]: home ? { body: { ...empty, ...home } } : { status: 500, body: { error: 'It broke' } },
  })
  return { server, tab: openTab({ adapter: server.adapter }) }
}
const card = (name: string) => screen.findByRole('region', { name })

describe('the home page of a person of a master agent', () => {
  it.each([
    [{}, 'Payable', '$1,300.00', []],
    [{ paid: 1300, effective: '2026-11-05' }, 'Paid', '$1,300.00', ['Effective on 11/5/2026.']],
    [{ effective: '2026-11-05' }, 'Payable', '$1,300.00', []],
    [{ paid: 800, effective: null }, 'Paid', '$800.00', ['$1,300.00 is payable in all.']],
    [{ payable: 0, carryout: 12.25 }, 'Payable', '$0.00', ['$12.25 is carried forward.']],
    [
      { due: -5, payable: 0, carryout: -5 },
      'Payable',
      '$0.00',
      ['-$5.00 is carried forward.', 'The statement is negative: later ones are reduced by it.'],
    ],
    [{ haspayee: true }, 'Payable', '$1,300.00', ['It is paid to another agent, the payee of this one.']],
    [{ isofficeaccount: true, payable: 0 }, 'Never paid out', '$0.00', []],
  ])('says of the last statement %j: %s %s', async (changed, words, figure, notes) => {
    open({ statement: { ...statement, ...changed } })
    const shown = await card('Last Statement')
    expect(within(shown).getByText(words)).toBeVisible()
    expect(within(shown).getByText(figure)).toBeVisible()
    expect(within(shown).getByText('October 2026, MA0002 - North')).toBeVisible()
    expect(
      within(shown)
        .queryAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(notes)
    expect(within(shown).getByRole('link', { name: 'Open Statement' })).toHaveAttribute(
      'href',
      '/reporting?report=agent-residual-statement&month=2026-10&agent=2&run=1',
    )
  })

  it.each([
    [['2026-10'], []],
    [
      ['2026-08', '2026-10'],
      [
        [
          'Compared with August 2026',
          '/reporting?report=statement-compared&month=2026-10&agent=2&run=1&before=2026-08',
        ],
      ],
    ],
  ])('leads from the last statement of %j to what differs from the one before: %j', async (months, links) => {
    open({ statement, months: months.map((month) => ({ month, earned: 1, paid: 1 })) })
    const shown = within(await card('Last Statement')).queryAllByRole('link', { name: /^Compared/ })
    expect(shown.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(links)
  })

  it('has the months as a chart and as a table, newest first, with their sum and their statements', async () => {
    open({
      statement,
      months: [
        { month: '2026-08', earned: 0.1, paid: 0 },
        { month: '2026-09', earned: 0.2, paid: 0.3 },
      ],
    })
    const shown = await card('Earned by Month')
    expect(within(shown).getByText('In 2 months')).toBeVisible()
    expect(within(shown).getByText('$0.30', { selector: 'strong' })).toBeVisible()
    expect(
      within(shown).getByRole('img', { name: 'Earned from August 2026 to September 2026' }),
    ).toBeVisible()
    expect([...shown.querySelectorAll('rect')].map(({ textContent }) => textContent)).toEqual([
      'August 2026: $0.10',
      'September 2026: $0.20',
    ])
    const rows = within(within(shown).getByRole('table', { hidden: true })).getAllByRole('row', {
      hidden: true,
    })
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
      ['Month', 'Earned', 'Paid'],
      ['September 2026', '$0.20', '$0.30'],
      ['August 2026', '$0.10', '$0.00'],
    ])
    const links = within(shown).getAllByRole('link', { hidden: true })
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      ['2026-09', '2026-08'].map(
        (month) => `/reporting?report=agent-residual-statement&month=${month}&agent=2&run=1`,
      ),
    )
  })

  it('says of one month that it is one', async () => {
    open({ months: [{ month: '2026-08', earned: -1200.5, paid: 0 }] })
    const shown = await card('Earned by Month')
    expect(within(shown).getByText('In 1 month')).toBeVisible()
    expect(within(shown).getByText('-$1,200.50', { selector: 'strong' })).toBeVisible()
  })

  it.each([
    ['missing', 'No bank account is entered, so nothing can be paid.'],
    ['pending', 'The changed bank account waits until the office confirms it. Nothing is paid until then.'],
  ] as const)('says of a bank account that is %s what that means, and leads to it', async (account, text) => {
    open({ account })
    const [item] = within(await card('Open Questions')).getAllByRole('listitem')
    expect(item).toHaveTextContent(`${text} Master Agents`)
    expect(within(item!).getByRole('link')).toHaveAttribute('href', '/manage/agents')
  })

  it('can be asked for again where it could not be loaded', async () => {
    const { server, tab } = open(null)
    await screen.findByText('Your statement could not be loaded')
    server.answer(own, { body: { ...empty, statement } })
    await tab.user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await card('Last Statement')).toHaveTextContent('October 2026, MA0002 - North')
  })

  it('says what will stand there before the agent has a statement of a locked month', async () => {
    open({})
    expect(await card('Last Statement')).toHaveTextContent('You have no statement of a locked month yet.')
    expect(await card('Earned by Month')).toHaveTextContent('Up to twelve locked months stand here')
    expect(await card('Open Questions')).toHaveTextContent('Nothing waits for you.')
  })

  it('names what waits: email, account, hold and open tickets', async () => {
    const newest = [{ id: 7, subject: 'A terminal is late', statusid: 2, created: 1_790_000_000 }]
    open(
      {
        statement: { ...statement, payable: 0, hold: 'No bank data' },
        account: 'missing',
        tickets: { total: 6, newest },
      },
      { email: undefined },
    )
    const shown = await card('Open Questions')
    expect(shown).not.toHaveTextContent('Nothing waits for you.')
    expect(shown).toHaveTextContent('Support tickets need a validated email.')
    expect(shown).toHaveTextContent('No bank account is entered, so nothing can be paid.')
    expect(shown).toHaveTextContent('The payment of October 2026 is held: No bank data.')
    expect(within(shown).getByRole('link', { name: 'Ticket 7: A terminal is late' })).toHaveAttribute(
      'href',
      '/tickets?open=7',
    )
    expect(shown).toHaveTextContent('On Hold')
    expect(within(shown).getByRole('link', { name: 'All 6 open tickets' })).toHaveAttribute(
      'href',
      '/tickets',
    )
  })

  it('names the email alone where nothing else waits', async () => {
    open({}, { email: undefined })
    const shown = await card('Open Questions')
    expect(shown).toHaveTextContent('Support tickets need a validated email.')
    expect(shown).not.toHaveTextContent('Nothing waits for you.')
  })

  it.each([
    ['the payment of a month', 0, 'The payment of October 2026 is held: Disputed.'],
    ['further payments where the month was paid', 0.01, 'Further payments are held: Disputed.'],
  ])('names as held, where nothing else waits, %s', async (_, paid, text) => {
    open({ statement: { ...statement, paid, hold: 'Disputed' } })
    const shown = await card('Open Questions')
    expect(shown).toHaveTextContent(text)
    expect(shown).not.toHaveTextContent('Nothing waits for you.')
  })

  it.each([
    [1, 0],
    [2, 1],
  ])('leads to the list of %i open tickets, of which one is shown, %i times', async (total, times) => {
    const newest = [{ id: 7, subject: 'A terminal is late', statusid: 2, created: 1_790_000_000 }]
    open({ tickets: { total, newest } })
    const shown = await card('Open Questions')
    expect(within(shown).queryAllByRole('link', { name: /^All / })).toHaveLength(times)
  })

  it('opens the validation of the email', async () => {
    const { tab } = open({}, { email: undefined })
    await tab.user.click(await screen.findByRole('button', { name: 'Validate Email' }))
    expect(await screen.findByRole('dialog', { name: 'Email Validation' })).toBeVisible()
  })

  it('says that the own merchants have no volume, not that nobody imported any', async () => {
    open({})
    expect(await screen.findByText('Your merchants have no daily volume yet')).toBeVisible()
  })

  it.each([
    ['staff', {}],
    ['administrators', { admin: true }],
  ])('is not shown to %s, and not asked for', async (_, given) => {
    remember(replyFor(given))
    const server = scripted({ [endpoints.session.renew.route]: { body: replyFor(given) } })
    openTab({ adapter: server.adapter, at: '/' })
    await screen.findByText('No daily volume has been imported yet')
    expect(screen.queryByRole('region', { name: 'Last Statement' })).toBeNull()
    expect(server.calls.filter(({ path }) => path === '/api/v1/home')).toEqual([])
  })
})
