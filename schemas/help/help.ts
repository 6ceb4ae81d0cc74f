import type { Permission } from '../permissions.ts'

/** What the words of the portal mean; docs/product/help.md shows the same texts (everywhere 4). */
export const wordHelp: Readonly<Record<string, string>> = {
  Adjustment:
    'An amount that a person adds to an agent’s statement of one month, or takes from it, with a ' +
    'reason. Another person accepts it before it counts.',
  'Amount Commission': 'A flat amount in dollars that a merchant’s own agent earns, beside its percentage.',
  Approve: 'A person other than the one who locked the month says that its payouts are right.',
  Carry: 'What an agent was due and not paid. It goes into the agent’s next month.',
  'Control Total':
    'The total that a processor states for a month. It is held against the sum of the file’s rows.',
  DBA: 'The name under which a merchant does business.',
  Due: 'The sum of a statement: all its lines, with what was carried into it.',
  Finding:
    'Something in a month that somebody should look at before people are paid: a warning needs a ' +
    'reason before the lock, a note does not.',
  Hold: 'Keeps a payment back until it is ended. What is held stays in the agent’s balance.',
  House: 'What is left of a net when all agents have their shares. It belongs to the reseller.',
  Late: 'Income that came after its month was locked. It is paid with a later month.',
  Lock: 'Copies a month, so that agents are paid by what it says now, whatever is changed later.',
  'Master Agent': 'A reseller who earns commission of its merchants, and of those of the agents below it.',
  MID: 'A merchant’s number at its processor, as it stands in the processor’s files.',
  Net: 'Income less expenses of a merchant in a month, as the processor’s file says. It is what is shared.',
  'Office Account': 'The house’s own agent. It is worked out and shown like any other, and never paid.',
  Override:
    'What an agent earns of the merchants of those below it: the part of its percentage that ' +
    'exceeds the highest percentage below.',
  Own: 'What an agent earns of its own merchants: its percentage of the net, and its flat amount.',
  'Pay on Inactive': 'Whether an agent is still paid for merchants that are inactive.',
  Payee: 'The agent to whom the money of a statement goes, where it is another than the statement’s own.',
  Payout: 'What a payee is paid of a locked month: all statements that go to it, less what is held.',
  Release: 'Pays an approved month once: by a file for the bank, or in another way.',
  Reopen: 'Makes a locked month open again. The next lock is a new version, and pays what is left.',
  Residual: 'What a merchant’s processing leaves each month to be shared.',
  Return: 'A payment that the bank sent back. The amount is the agent’s balance again.',
  Waive: 'Accepts a warning of a month with a reason, so that the month can be locked.',
  Withheld:
    'What an agent would have earned of an inactive merchant, and is not paid because Pay on ' +
    'Inactive is off. It stays with the house.',
  XMID: 'A merchant’s number in the portal: that of its processor, as text.',
}

/** What each permission opens; docs/product/permissions.md shows the same texts (permissions 3). */
export const permissionHelp: Readonly<Record<Permission, string>> = {
  create_users: 'Manage Users in the menu, and creating users',
  import_files:
    'Month; the Imports menu: the inbox and a screen for each kind of file; Import Comp Data only with the ' +
    'sight of all master agents',
  lock_reports:
    'Month, Lock Report, Adjustments; with the sight of all master agents, Processors, Processor ' +
    'Statements and deciding about proposed adjustments; with manage_master_agents besides, deciding about ' +
    'changed accounts',
  manage_equipment: 'creating, changing and deleting equipment',
  manage_master_agents:
    'creating, changing and deleting master agents, collection subscriptions, whole bank account ' +
    'numbers and tax ids',
  manage_merchants: 'creating merchants and changing their fields',
  manage_permissions: 'changing the checkboxes of permissions',
  manage_users: 'the list of users, changing and deleting them, their passwords',
  manage_tickets: 'changing and deleting visible tickets of others',
  reports_admin: 'Month, reports of all agents',
  edit_commission: 'the four commission fields of master agents',
  edit_maid_salesrep: 'sales rep, master agent and status-type fields of merchants',
  delete_merchants: 'deleting merchants',
}
