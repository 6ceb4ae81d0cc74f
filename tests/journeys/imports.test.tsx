import { screen, within } from '@testing-library/dom'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestPortal, type TestPortal } from '../testPortal.ts'
import { browserOf } from './adapter.ts'
import { openTab, signIn } from './open.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal()
}, 60_000)
afterAll(() => portal.close())

const csv = (name: string, ...lines: string[]) => new File([lines.join('\n')], name, { type: 'text/csv' })
const open = async (at: string) => {
  const tab = openTab({ adapter: browserOf(portal.app), at })
  await signIn(tab, 'staff', portal.people.staff!.password)
  await screen.findByRole('button', { name: 'Welcome, staff' })
  const choose = async (file: File) => {
    await screen.findByRole('button', { name: /Select File/ })
    await tab.user.upload(tab.root.querySelector<HTMLInputElement>('input[type=file]')!, file)
  }
  const submit = async () => tab.user.click(await screen.findByRole('button', { name: 'Submit' }))
  return { tab, choose, submit }
}

describe('a file before the real server', () => {
  it('of a day’s volume is imported and its day shows on the home page', async () => {
    const [shop] = await portal.db.query<{ xmid: string }>('select xmid from merchant order by id limit 1')
    const { tab, choose, submit } = await open('/import/volume')
    await choose(csv('volume 2031.csv', 'MID,Sales Amount,Refund Amount', `${shop!.xmid},1500.25,100.00`))
    const day = tab.root.querySelector<HTMLInputElement>('input[type=date]')!
    await tab.user.type(day, '2025-03-09')
    await submit()
    expect(await screen.findByText('Data Imported Successfully')).toBeVisible()
    const stored = await portal.db.query<{ day: string; net: string }>(
      "select volumedate::text as day, sum(netamount)::text as net from daily_volume where volumedate = '2025-03-09' group by 1",
    )
    expect(stored).toEqual([{ day: '2025-03-09', net: '1400.25' }])
    await portal.db.query("delete from daily_volume where volumedate <> '2025-03-09'")
    await tab.user.click(screen.getByRole('button', { name: /^Welcome,/ }))
    await tab.user.click(await screen.findByRole('menuitem', { name: 'Home' }))
    const table = await screen.findByRole('table', { name: 'Daily volume' })
    expect(
      within(table)
        .getAllByRole('row')
        .map((row) => row.textContent),
    ).toEqual(['Report Date$ Amount', '03-09-2025$1,400.25'])
  })

  it('with a fault is refused whole: the faults are listed and nothing is stored', async () => {
    const before = await portal.db.query('select count(*) from merchant')
    const { choose, submit } = await open('/import/merchants')
    await choose(
      csv(
        'merchants.csv',
        'XMID,DBA,Master Agent',
        '4000009990,Good Shop,MA0001',
        '4.0000E+09,Bad Shop,MA0001',
        ',Nameless,MA0001',
      ),
    )
    await submit()
    await screen.findByRole('heading', { name: 'Nothing was imported' })
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByText('Nothing was imported. What is wrong in the file is listed below.')).toBeDefined()
    const rows = (await screen.findAllByRole('row')).map((row) => row.textContent)
    expect(rows.join('\n')).toMatch(/3.*XMID.*4\.0000E\+09/)
    expect(rows.join('\n')).toMatch(/4.*XMID/)
    expect(await portal.db.query('select count(*) from merchant')).toEqual(before)
    expect(screen.getByRole('button', { name: 'Submit' })).toBeEnabled()
  })
})
