import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { openTab, remember } from '../../journeys/open.ts'
import { replyFor, scripted } from '../../journeys/scripted.ts'

const profit = endpoints.home.profit.route
const seconds = (iso: string) => Date.parse(`${iso}T00:00:00Z`) / 1000
const days = {
  data: [
    { processdate: seconds('2026-11-03'), amount: 1234.5 },
    { processdate: seconds('2026-11-02'), amount: -20 },
  ],
}

afterEach(() => void vi.restoreAllMocks())

const open = (answer: Parameters<typeof scripted>[0], given: Parameters<typeof replyFor>[0] = {}) => {
  remember(replyFor(given))
  const server = scripted({ [endpoints.session.renew.route]: { body: replyFor(given) }, ...answer })
  return { server, tab: openTab({ adapter: server.adapter }) }
}

describe('the home page', () => {
  it('greets by the name of the portal', async () => {
    open({})
    expect(
      await screen.findByRole('heading', { level: 1, name: 'Welcome to the Technology Portal.' }),
    ).toBeVisible()
  })

  it('shows the chart and a table of the same figures, newest first', async () => {
    // A chart is drawn into the room it has; nothing has any in a page that is not laid out.
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900)
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(480)
    open({ [profit]: { body: days } })
    const table = await screen.findByRole('table', { name: 'Daily volume' })
    const cells = within(table)
      .getAllByRole('row')
      .map((row) => [...row.children].map((cell) => cell.textContent))
    expect(cells).toEqual([
      ['Report Date', '$ Amount'],
      ['11-03-2026', '$1,234.50'],
      ['11-02-2026', '-$20.00'],
    ])
    const chart = await screen.findByLabelText(/This is a chart/)
    await waitFor(() => {
      for (const text of ['Report Date', '$ Amount', '11-02-2026', '11-03-2026', '$1.2K', '-$20'])
        expect(chart).toHaveTextContent(text)
    })
  })

  it.each([
    ['2026-11-06', 0],
    ['2026-11-07', 1],
  ])('explains the lighter bars where one of the days, %s, is of a weekend: %i times', async (day, times) => {
    open({ [profit]: { body: { data: [...days.data, { processdate: seconds(day), amount: 1 }] } } })
    await screen.findByRole('table', { name: 'Daily volume' })
    expect(screen.queryAllByText('Lighter bars are Saturdays and Sundays.')).toHaveLength(times)
  })

  it('is busy until the figures are there', async () => {
    let answer: (value: { body: typeof days }) => void = () => {}
    open({ [profit]: new Promise((resolve) => (answer = resolve)) })
    const [loading] = await screen.findAllByRole('status', { name: 'Loading the daily volume' })
    const figures = loading!.closest('[aria-busy]')
    expect(figures).toHaveAttribute('aria-busy', 'true')
    answer({ body: days })
    await screen.findByRole('table', { name: 'Daily volume' })
    expect(figures).toHaveAttribute('aria-busy', 'false')
  })

  it('says that nothing has been imported yet, and leads there who may', async () => {
    open({}, { permissions: ['import_files'] })
    expect(await screen.findByText('No daily volume has been imported yet')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Import Daily Volume' })).toHaveAttribute(
      'href',
      '/import/volume',
    )
  })

  it('offers no import to others', async () => {
    open({})
    expect(await screen.findByText('No daily volume has been imported yet')).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Import Daily Volume' })).toBeNull()
  })

  it('fails quietly and can be asked again', async () => {
    const { server, tab } = open({ [profit]: { status: 500, body: { error: 'It broke' } } })
    const retry = await screen.findByRole('button', { name: 'Retry' })
    expect(screen.queryByRole('dialog')).toBeNull()
    server.answer(profit, { body: days })
    await tab.user.click(retry)
    expect(await screen.findByRole('table', { name: 'Daily volume' })).toBeVisible()
  })
})
