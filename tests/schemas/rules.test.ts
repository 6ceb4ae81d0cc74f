import { describe, expect, test } from 'vitest'
import { hasOwnHome } from '../../schemas/api/home.ts'
import { adjustment, paysOwnReason } from '../../schemas/entities/adjustment.ts'
import { decisionOf, readOnlyFields, isViewOnly } from '../../schemas/entities/entity.ts'
import { masterAgent, ownHoldReason } from '../../schemas/entities/masterAgent.ts'
import { user } from '../../schemas/entities/user.ts'
import {
  allOf,
  effectivePermissions,
  holds,
  seesAllAgents,
  noPermissions,
  onlyNew,
  permissions,
  permissionWords,
  reasonOf,
  refusedFor,
  unless,
  type Permission,
  type Permissions,
  type Viewer,
} from '../../schemas/permissions.ts'
import { screens } from '../../src/app/screenTable.tsx'
import { isGroup, navigationOf } from '../../src/app/shell/bar/navigation.ts'
import { allowedRecordActions } from '../../src/features/entity/record/dialog.ts'
import { absentFields, entityUiSchema, plainUiSchema } from '../../src/forms/uiSchema.ts'
import { oracles } from '../rights/all.ts'
import { namesOf, openTo, shownTo, type Oracle, type Person } from '../rights/oracle.ts'
import { peopleFor } from '../rights/people.ts'

type Somebody = Person & { viewer: Viewer }
const somebodyOf = (person: Person): Somebody => {
  const held = Object.fromEntries(
    permissions.map((name) => [name, person.given.includes(name)]),
  ) as Permissions
  const { admin } = person
  return {
    ...person,
    viewer: {
      username: 'ann',
      admin,
      permissions: effectivePermissions(admin, held),
      masteragentid: null,
      seesall: true,
    },
  }
}

type Looks = Record<
  string,
  { 'ui:disabled'?: true; 'ui:readonly'?: true; 'ui:widget'?: string; 'ui:reason'?: string }
>
const isClosed = (look: Looks[string]) => look['ui:disabled'] === true || look['ui:readonly'] === true
/** What the form has, and of that what can be filled in. */
const formOf = ({ it }: Oracle, { viewer }: Somebody, row: Record<string, unknown> | null) => {
  const looks = entityUiSchema(it, viewer, row) as Looks
  const unseen = absentFields(it, viewer, row)
  const shown = Object.keys(it.schema.properties)
    .filter((field) => !unseen.includes(field) && looks[field]!['ui:widget'] !== 'hidden')
    .sort()
  return { shown, open: shown.filter((field) => !isClosed(looks[field]!)) }
}
/** The first few people for whom two answers differ, readably. */
const disagreements = (
  oracle: Oracle,
  left: (somebody: Somebody) => unknown,
  right: (somebody: Somebody) => unknown,
) => {
  const found: unknown[] = []
  for (const somebody of peopleFor(oracle).map(somebodyOf)) {
    const [is, should] = [left(somebody), right(somebody)]
    if (JSON.stringify(is) !== JSON.stringify(should))
      found.push({ admin: somebody.admin, holds: somebody.given.join(), is, should })
    if (found.length === 3) break
  }
  return found
}
/**
 * A new record is filled in only by a person who may create one, a stored one only by a person who may
 * open it.
 */
const applies = (oracle: Oracle, person: Person, row: Record<string, unknown> | null) =>
  row ? oracle.open(person, row) : oracle.create(person)

const cases = oracles.flatMap(({ name, oracle }) => [
  { name, oracle, what: 'a new record', row: null },
  ...oracle.rows.map((row, at) => ({
    name,
    oracle,
    row,
    what: `stored record ${at}`,
  })),
])

describe('for every set of the permissions that matter, with none and with all of the others', () => {
  test.each(oracles)('the hand-made table speaks of every field of $name once', ({ oracle }) => {
    expect([...namesOf(oracle), 'id', 'version'].sort()).toEqual(
      Object.keys(oracle.it.schema.properties).sort(),
    )
  })

  test.each(cases)(
    '$name: the form of $what has exactly the fields, and opens exactly those, that the specification says',
    ({ oracle, row }) => {
      const wanted = (somebody: Somebody) => {
        const shown = shownTo(oracle, somebody, row)
        return { shown, open: openTo(oracle, somebody, row).filter((field) => shown.includes(field)) }
      }
      expect(
        disagreements(
          oracle,
          (somebody) => applies(oracle, somebody, row) && formOf(oracle, somebody, row),
          (somebody) => applies(oracle, somebody, row) && wanted(somebody),
        ),
      ).toEqual([])
    },
  )

  test.each(cases)(
    '$name: the rules that the server asks of $what leave open exactly what the specification says',
    ({ oracle, row }) => {
      const fields = namesOf(oracle)
      expect(
        disagreements(
          oracle,
          (somebody) => {
            if (!applies(oracle, somebody, row)) return null
            const shut = readOnlyFields(oracle.it, somebody.viewer, row ?? undefined)
            return fields.filter((field) => !shut.includes(field)).sort()
          },
          (somebody) => (applies(oracle, somebody, row) ? openTo(oracle, somebody, row) : null),
        ),
      ).toEqual([])
    },
  )

  const stored = cases.filter(({ row }) => row !== null)
  test.each(stored)(
    '$name: menu item, list, Create, and of $what Save and Delete',
    ({ oracle, row: given }) => {
      const { it } = oracle
      const row = given!
      const texts = ({ viewer }: Somebody) => {
        const { left, right } = navigationOf(screens, viewer, null)
        return [...left, ...right]
          .flatMap((item) => (isGroup(item) ? item.entries : [item]))
          .filter(({ to }) => to === it.path).length
      }
      expect(
        disagreements(
          oracle,
          (somebody) => {
            const may = allowedRecordActions(it, somebody.viewer)
            const viewOnly = isViewOnly(it, somebody.viewer, row)
            return {
              menu: texts(somebody),
              list: it.access.list(somebody.viewer),
              create: may.create,
              open: may.open,
              save: may.open && !viewOnly,
              remove: may.open && may.remove && !viewOnly,
            }
          },
          (somebody) => ({
            menu: oracle.menu(somebody) ? 1 : 0,
            list: oracle.list(somebody),
            create: oracle.create(somebody),
            open: oracle.open(somebody),
            save: oracle.save(somebody, row),
            remove: oracle.open(somebody) && oracle.removeButton(somebody, row),
          }),
        ),
      ).toEqual([])
    },
  )
})

describe('a disabled field says why', () => {
  const needs = (permission: Permission) => `Needs the permission “${permissionWords[permission]}”`
  const closed = 'This cannot be changed on an existing record'
  test.each<[string, (typeof permissions)[number][], string, string]>([
    ['Merchants', ['edit_maid_salesrep'], 'notes', needs('manage_merchants')],
    ['Merchants', ['edit_maid_salesrep'], 'product', needs('manage_merchants')],
    ['Merchants', ['edit_maid_salesrep'], 'xmid', closed],
    ['Merchants', ['edit_maid_salesrep'], 'accountstatus', closed],
    ['Master Agents', ['edit_commission'], 'name', needs('manage_master_agents')],
    [
      'Master Agents',
      ['manage_master_agents'],
      'percentagecommissionreceived',
      'Needs the permission “Edit commission”, and an agent whose commission is not fixed',
    ],
    [
      'Master Agents',
      ['manage_master_agents'],
      'activemerchantcount',
      'This is worked out by the portal and cannot be changed',
    ],
    [
      'Equipment',
      ['manage_equipment'],
      'paidstatus',
      'This is worked out by the portal and cannot be changed',
    ],
    ['Manage Users', ['manage_users'], 'username', closed],
    ['Manage Users', ['manage_users'], 'permissions', needs('manage_permissions')],
  ])('%s with %j: %s: %s', (name, given, field, reason) => {
    const { oracle } = oracles.find((one) => one.name === name)!
    const { viewer } = somebodyOf({ admin: false, given })
    const looks = entityUiSchema(oracle.it, viewer, oracle.rows[0]!) as Looks
    expect(looks[field]!['ui:reason']).toBe(reason)
  })

  test.each(cases)('$name: and no open field of $what does', ({ oracle, row }) => {
    for (const somebody of peopleFor(oracle).map(somebodyOf)) {
      const looks = entityUiSchema(oracle.it, somebody.viewer, row) as Looks
      const wrong = Object.values(looks).filter((look) => 'ui:reason' in look !== isClosed(look))
      expect(wrong).toEqual([])
    }
  })
})

test.each(oracles.map((oracle) => ({ name: oracle.name, oracle })))(
  'a field of $name looks in a form of its own as it does in the form of a new record',
  ({ oracle: { oracle } }) => {
    const { viewer } = somebodyOf({ admin: true, given: [...permissions] })
    const looks = entityUiSchema(oracle.it, viewer, null) as Looks
    const alone = plainUiSchema(oracle.it.schema)
    const open = Object.keys(oracle.it.schema.properties).filter(
      (field) => !isClosed(looks[field]!) && looks[field]!['ui:widget'] !== 'hidden',
    )
    expect(open).not.toEqual([])
    for (const field of open)
      expect([field, { ...alone[field], 'ui:required': true }]).toEqual([
        field,
        { ...looks[field], 'ui:required': true },
      ])
  },
)

describe('a rule that refuses says why', () => {
  const locks = holds('lock_reports')
  const needs = 'Needs the permission “Lock reports”'
  const sight = 'Needs the sight of all master agents'
  const closed = unless((_, row) => row['state'] === 'refused', 'It stays as it is', locks)
  const owned = refusedFor((_, row) => (row['own'] ? 'It is your own' : null), locks)
  const somebody = (given: Permission[], seesall: boolean, admin = false): Viewer => ({
    username: 'ann',
    admin,
    permissions: { ...noPermissions, ...Object.fromEntries(given.map((name) => [name, true])) },
    masteragentid: null,
    seesall,
  })
  const nobody = somebody([], false)
  const locker = somebody(['lock_reports'], false)
  test.each<[what: string, rule: Parameters<typeof reasonOf>[0], Viewer, row: object, reason: string | null]>(
    [
      ['both of two', allOf(locks, seesAllAgents), nobody, {}, `${needs}. ${sight}`],
      ['the second of two', allOf(locks, seesAllAgents), locker, {}, sight],
      ['the first of two', allOf(locks, seesAllAgents), somebody([], true), {}, needs],
      ['none of two', allOf(locks, seesAllAgents), somebody(['lock_reports'], true), {}, null],
      ['a closed row', closed, locker, { state: 'refused' }, 'It stays as it is'],
      ['a right, before a closed row', closed, nobody, { state: 'refused' }, needs],
      ['a right in an open row', closed, nobody, {}, needs],
      ['neither', closed, locker, {}, null],
      ['the row, before a right', owned, nobody, { own: true }, 'It is your own'],
      ['the row alone', owned, locker, { own: true }, 'It is your own'],
      ['a right alone', owned, nobody, {}, needs],
      ['no row and no right', owned, locker, {}, null],
      ['that it exists', onlyNew(locks), locker, {}, 'This cannot be changed on an existing record'],
      ['one of two rights', holds('lock_reports', 'import_files'), nobody, {}, `${needs} or “Import files”`],
      [
        'a right, to who gives it',
        holds('lock_reports'),
        somebody([], true, true),
        {},
        `${needs} (lock_reports)`,
      ],
    ],
  )('%s', (_, rule, viewer, row, reason) => {
    const given = row as Record<string, unknown>
    expect(rule(viewer, given) ? null : reasonOf(rule, viewer, given)).toBe(reason)
  })
})

describe('the user of the viewer, however its name was typed at the sign-in', () => {
  test.each<
    [username: string, masteragentid: number | null, admin: boolean, closed: string, deletes: boolean]
  >([
    ['ann', 2, false, 'masteragentid', false],
    ['ANN', 2, false, 'masteragentid', false],
    ['ANN', null, false, '', false],
    ['bob', 2, false, '', true],
    ['ANN', null, true, 'admin', false],
    ['ANN', 2, true, 'masteragentid admin', false],
    ['bob', 2, true, '', true],
  ])('%s of the agent %s, an administrator: %s', (username, masteragentid, admin, closed, deletes) => {
    const held = { ...noPermissions, manage_users: true }
    const permissionsHeld = effectivePermissions(admin, held)
    const viewer: Viewer = { username, admin, permissions: permissionsHeld, masteragentid, seesall: false }
    const row = { id: 1, version: 1, username: 'Ann', admin, masteragentid, permissions: noPermissions }
    const shut = readOnlyFields(user, viewer, row)
    const looked = admin ? ['masteragentid', 'admin'] : ['masteragentid']
    expect(looked.filter((field) => shut.includes(field)).join(' ')).toBe(closed)
    expect(user.access.delete(viewer, row)).toBe(deletes)
    if (admin) expect(readOnlyFields(user, viewer, { ...row, admin: false })).not.toContain('admin')
  })
})

describe('a proposed adjustment', () => {
  const held = { ...noPermissions, lock_reports: true }
  const viewer: Viewer = { username: 'ann', admin: false, permissions: held, masteragentid: 2, seesall: true }
  test.each<[viewer: Viewer, row: object, may: true | string]>([
    [viewer, {}, true],
    [viewer, { paysown: true }, paysOwnReason],
    [{ ...viewer, seesall: false }, {}, 'Needs the sight of all master agents'],
    [{ ...viewer, permissions: noPermissions }, {}, 'Needs the permission “Lock reports”'],
  ])('is decided about by %o with %j: %s', (person, row, may) => {
    for (const step of ['accept', 'refuse'])
      expect(decisionOf(adjustment, step)!.may(person, { state: 'proposed', ...row })).toBe(may)
  })

  test.each([
    [{ masteragentid: 1 }, null],
    [{ merchantid: 1 }, null],
    [{}, 'Choose a master agent or a merchant'],
    [{ masteragentid: 1, merchantid: 1 }, 'Choose a master agent or a merchant, not both'],
  ])('of %j is %s', (owner, fault) => {
    expect(Object.values(adjustment.check!({ amount: 5, ...owner }))[0] ?? null).toBe(fault)
  })
})

test.each([
  [null, false, false],
  [null, true, false],
  [2, true, false],
  [2, false, true],
])('of people of the agent %s, who see all (%s), the home begins with their own statement: %s', (...row) => {
  const [masteragentid, seesall, hasOwn] = row
  expect(hasOwnHome({ masteragentid, seesall })).toBe(hasOwn)
})

describe('the agent of the viewer, or one above it', () => {
  const held = Object.fromEntries(permissions.map((name) => [name, true])) as Permissions
  const viewer: Viewer = { username: 'ann', admin: false, permissions: held, masteragentid: 2, seesall: true }
  const pay = [
    'percentagecommissionreceived',
    'amountcommissionreceived',
    'percentageequipmentcommissionreceived',
    'amountequipmentcommissionreceived',
    'ratesfrom',
    'collectionSubscriptions',
    'payoninactive',
    'payeeid',
    'parentid',
  ]
  const unhold = decisionOf(masterAgent, 'unhold')!
  test.each<[row: object, closed: string[], may: true | string]>([
    [{}, [], true],
    [{ ownchain: true }, [...pay, 'isofficeaccount'], ownHoldReason],
    [{ ownchain: true, isofficeaccount: true }, ['isofficeaccount'], true],
    [{ commissionnoteditable: true }, ['percentagecommissionreceived'], true],
  ])('of an agent %j nobody changes %j, or ends the hold: %s', (more, closed, may) => {
    const row = { id: 2, version: 1, ownchain: false, isofficeaccount: false, ...more }
    const always = readOnlyFields(masterAgent, viewer)
    const shut = readOnlyFields(masterAgent, viewer, row).filter((field) => !always.includes(field))
    expect(shut.toSorted()).toEqual(closed.toSorted())
    expect(unhold.may(viewer, row)).toBe(may)
    // Without the permission the missing permission is the reason, whatever the hold is.
    const clerk = { ...viewer, permissions: { ...held, lock_reports: false } }
    expect(unhold.may(clerk, row)).toBe('Needs the permission “Lock reports”')
  })
})
