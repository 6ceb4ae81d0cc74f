import { expect, test } from 'vitest'
import { ledger } from '../reports/ledger.ts'

test('the home page has the settings of the portal, its links by title, and what became of backups for administrators', async () => {
  const links = ['Zoo', 'élan', 'Bank', 'acquirer'].map((title) => ({
    title,
    link: `https://example.com/${title.length}`,
  }))
  const script = 'https://desk.example.com/w.js'
  const portal = await ledger({
    links,
    store: 'https://store.example.com/',
    training: null,
    helpdesk: { widget: { script, secret: 'x'.repeat(16) } },
  })
  try {
    const home = async (name: string) => (await (await portal.as(name)).call('GET', '/api/v1/portal')).body
    const shown = {
      links: ['acquirer', 'Bank', 'élan', 'Zoo'].map((title) => links.find((it) => it.title === title)),
      store: 'https://store.example.com/',
      training: null,
      widget: script,
    }
    expect(await home('office')).toEqual({ ...shown, backup: null })
    expect(await home('admin')).toEqual({ ...shown, backup: 'No backup has been made yet.' })
  } finally {
    await portal.close()
  }
})
