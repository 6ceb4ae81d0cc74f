import { screen, waitFor, within } from '@testing-library/dom'
import { expect } from 'vitest'
import type { Entity } from '../../schemas/entities/entity.ts'
import type { Permission } from '../../schemas/permissions.ts'
import type { TestPortal } from '../testPortal.ts'
import { browserOf } from './adapter.ts'
import { openTab, remember } from './open.ts'

const held = 'clerk'

/** Opens this page as somebody who holds these permissions; 'admin' is the administrator. */
export async function openAs(portal: TestPortal, who: 'admin' | readonly Permission[], at: string) {
  const name = who === 'admin' ? 'admin' : held
  if (who !== 'admin')
    await portal.db.query('update portal_user set permissions = $1 where username = $2', [who, held])
  const { username, password } = portal.people[name]!
  const { body } = await (await portal.stranger()).call('PUT', '/api/v1/login', { username, password })
  remember({ username, ...body })
  return openTab({ adapter: browserOf(portal.app), at })
}

/** The form in the dialog of an entity, once its fields are there. */
export async function formOf({ form }: Entity) {
  const dialog = await screen.findByRole('dialog', { name: form.title })
  await waitFor(() => expect(dialog.querySelector('.form-frame')).not.toBeNull())
  return within(dialog)
}
