import { expect, test } from 'vitest'
import type { Entity } from '../../../schemas/entities/entity.ts'
import { masterAgent } from '../../../schemas/entities/masterAgent.ts'
import { user } from '../../../schemas/entities/user.ts'
import { noPermissions } from '../../../schemas/permissions.ts'
import { changesByOthers } from '../../../src/features/entity/record/changesByOthers.ts'
import { viewerWith } from './entityScreen.tsx'

const held = { permissions: { ...noPermissions, import_files: true, lock_reports: true } }
const fee = { id: 1, amount: 12.5, notes: 'Fee' }

test.each<[what: string, entity: Entity, before: object, after: object, changes: string[]]>([
  ['nothing', user, held, held, []],
  [
    'two permissions',
    user,
    held,
    { permissions: { ...held.permissions, import_files: false, manage_users: true } },
    ['Import files: Yes, No', 'Manage users: No, Yes'],
  ],
  ['a name', masterAgent, { name: 'North' }, { name: 'South' }, ['Name: North, South']],
  [
    'a subscription',
    masterAgent,
    { collectionSubscriptions: [fee] },
    {
      collectionSubscriptions: [
        { ...fee, amount: 13 },
        { id: 2, amount: 1, notes: 'Line' },
      ],
    },
    ['Collection Subscriptions: $12.50 Fee, $13.00 Fee, $1.00 Line'],
  ],
  [
    'a subscription that was numbered anew',
    masterAgent,
    { collectionSubscriptions: [fee] },
    { collectionSubscriptions: [{ ...fee, id: 2 }] },
    [],
  ],
])('%s of a record that others changed is told in words', (_, entity, before, after, changes) => {
  const record = { id: 1, version: 1 }
  const found = changesByOthers({
    entity,
    viewer: viewerWith('manage_users', 'manage_permissions', 'manage_master_agents'),
    row: { ...record, ...before },
    now: { ...record, ...after },
  })
  expect(found.map(({ head, before: was, after: is }) => `${head}: ${was}, ${is}`)).toEqual(changes)
})
