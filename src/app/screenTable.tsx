import { Spinner } from '@blueprintjs/core'
import { useLayoutEffect, type ComponentType, type ReactNode } from 'react'
import { hasOwnHome } from '../../schemas/api/home.ts'
import { adjustment } from '../../schemas/entities/adjustment.ts'
import { entities } from '../../schemas/entities/index.ts'
import { importKinds, importRule } from '../../schemas/imports/kinds.ts'
import { everyone, holds, worksOnMonths, type Rule, type Viewer } from '../../schemas/permissions.ts'
import { readsAudit, readsVariance, seesPayouts } from '../../schemas/screenRules.ts'
import type { FetchedMachines, ScreenMachines } from '../api/provide.ts'
import { EntityPage } from '../features/entity/EntityPage.tsx'
import type { RecordFrame } from '../features/entity/record/EntityDialog.tsx'
import { loadable, ScreenLoading, useFetched } from '../parts/loadable.tsx'
import type { ExtraColumn } from '../parts/table/Table.tsx'

const screenOf = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  loadable(load, <ScreenLoading />)

const MonthPage = screenOf(async () => (await import('../features/month/MonthPage.tsx')).MonthPage)
const HomePage = screenOf(async () => (await import('../features/home/HomePage.tsx')).HomePage)
const AcceptanceButton = loadable(
  async () => (await import('../features/entity/record/Acceptance.tsx')).AcceptanceButton,
)
const SessionList = loadable(async () => (await import('../features/sessions/SessionList.tsx')).SessionList)
/** The form of an agent is a part of it, so its place is held. */
const RecordRates = loadable(
  async () => (await import('../features/entity/record/RecordRates.tsx')).RecordRates,
  <Spinner className="dialog-loading" aria-label="Loading" />,
)
const LateNotice = loadable(async () => (await import('../features/entity/record/LateNotice.tsx')).LateNotice)
const ReportPage = screenOf(async () => (await import('../features/reports/ReportPage.tsx')).ReportPage)
const PayoutsPage = screenOf(async () => (await import('../features/payouts/PayoutsPage.tsx')).PayoutsPage)
const VariancePage = screenOf(
  async () => (await import('../features/variance/VariancePage.tsx')).VariancePage,
)
const AuditPage = screenOf(async () => (await import('../features/audit/AuditPage.tsx')).AuditPage)
const DrivePage = screenOf(async () => (await import('../features/drive/DrivePage.tsx')).DrivePage)
const TicketsPage = screenOf(async () => (await import('../features/tickets/TicketsPage.tsx')).TicketsPage)
const InboxPage = screenOf(async () => (await import('../features/inbox/InboxPage.tsx')).InboxPage)
const ImportPage = screenOf(async () => (await import('../features/imports/ImportPage.tsx')).ImportPage)

type WithFetchedProps = {
  machines: ScreenMachines
  /** The screen, whose code is fetched at the same time. */
  page: { preload: () => Promise<void> }
  children: (fetched: FetchedMachines) => ReactNode
}

/** Draws a screen once its machines are there. */
const WithFetched = ({ machines: { fetched }, page, children }: WithFetchedProps) => {
  useLayoutEffect(() => void page.preload(), [page])
  const known = useFetched(fetched.load, true, fetched.known())
  return known ? children(known) : <ScreenLoading />
}

/** Where the menu item of a screen stands: first, in a dropdown, on the bar, or at its right end. */
export type Menu = 'first' | 'manage' | 'imports' | 'bar' | 'side'
export type Screen = {
  path: string
  /** What may follow in the address, as a pattern of the router. */
  rest?: string
  title: string
  menu?: Menu
  /** The text of the menu item if it is not the title. */
  menuText?: string
  allow: Rule
  /** The noun of what a new one is made of here, and who may. */
  creates?: { noun: string; allow: Rule }
  /** `email` is null until it is validated. */
  render: (machines: ScreenMachines, viewer: Viewer, email: string | null) => ReactNode
}

/** A further column of an entity's list, by the entity's name. */
const extraColumns: Readonly<Record<string, (machines: ScreenMachines) => ExtraColumn>> = {
  tc: (machines) => ({
    head: 'Acceptance by User',
    render: (id) => <AcceptanceButton id={id} machineOf={machines.acceptance} />,
  }),
}

/** What stands with the form of a stored record, by the entity's name. */
const recordFrames: Readonly<
  Record<string, (machines: ScreenMachines, viewer: Viewer) => RecordFrame | undefined>
> = {
  masteragent: (machines) => (row, form) => (
    <RecordRates key={`${row.id} ${row.version}`} id={row.id} machineOf={machines.agentRates} form={form} />
  ),
  merchant: (_, viewer) =>
    adjustment.access.list(viewer)
      ? (row, form) => (
          <>
            <LateNotice row={row} />
            {form()}
          </>
        )
      : undefined,
  user: (machines, viewer) =>
    viewer.admin
      ? (row, form) => (
          <>
            {form()}
            <section className="rate-history">
              <h3>Sessions</h3>
              <SessionList key={row.id} user={row.id} machinesOf={machines.sessions} />
            </section>
          </>
        )
      : undefined,
}

/** Every screen, in the order of the menus. Lists and imports come from their registries. */
export const screens: readonly Screen[] = [
  {
    path: '/month',
    rest: '/:month?',
    title: 'Month',
    menu: 'first',
    allow: worksOnMonths,
    render: (machines, viewer) => (
      <WithFetched machines={machines} page={MonthPage}>
        {({ month, inbox, variance, payouts: { file, returnFile }, ...fetched }) => (
          <MonthPage
            {...month}
            {...{ file, returnFile, inbox, variance, viewer }}
            running={fetched.imports('compdata').running}
          />
        )}
      </WithFetched>
    ),
  },
  {
    path: '/',
    title: 'Home',
    allow: everyone,
    render: ({ chart, ownHome }, viewer, email) => (
      <HomePage
        chart={chart}
        canImport={holds('import_files')(viewer)}
        own={hasOwnHome(viewer) ? { ownHome, email } : null}
      />
    ),
  },
  {
    path: '/tickets',
    title: 'Support Tickets',
    menu: 'side',
    allow: everyone,
    creates: { noun: 'ticket', allow: everyone },
    render: (machines, viewer, email) => (
      <WithFetched machines={machines} page={TicketsPage}>
        {(fetched) => <TicketsPage {...fetched.tickets} viewer={viewer} email={email} />}
      </WithFetched>
    ),
  },
  ...Object.values(entities).map((entity): Screen => ({
    path: entity.path,
    title: entity.title,
    menu: entity.menu?.at ?? 'manage',
    menuText: entity.menu?.text,
    allow: entity.access.see ?? entity.access.list,
    creates: { noun: entity.noun, allow: entity.access.create },
    render: (machines, viewer) => (
      <EntityPage
        entity={entity}
        list={machines.list(entity)}
        modal={machines.modal(entity)}
        decision={machines.decision(entity)}
        searchRecords={machines.searchRecords}
        tools={machines.listTools(entity)}
        viewer={viewer}
        extraColumn={extraColumns[entity.name]?.(machines)}
        recordFrame={recordFrames[entity.name]?.(machines, viewer)}
      />
    ),
  })),
  ...Object.values(importKinds).map((it): Screen => ({
    path: it.path,
    title: it.title,
    menu: 'imports',
    allow: importRule(it),
    render: (machines) => (
      <WithFetched machines={machines} page={ImportPage}>
        {(fetched) => <ImportPage kind={it.name} machines={fetched.imports(it.name)} />}
      </WithFetched>
    ),
  })),
  {
    path: '/inbox',
    title: 'Inbox',
    menu: 'imports',
    allow: holds('import_files'),
    render: (machines) => (
      <WithFetched machines={machines} page={InboxPage}>
        {(fetched) => <InboxPage machines={fetched.inbox} />}
      </WithFetched>
    ),
  },
  {
    path: '/reporting',
    title: 'Reporting',
    menu: 'bar',
    allow: everyone,
    render: (machines, viewer) => (
      <WithFetched machines={machines} page={ReportPage}>
        {(fetched) => <ReportPage machine={fetched.report} viewer={viewer} />}
      </WithFetched>
    ),
  },
  {
    path: '/payouts',
    title: 'Payouts',
    menu: 'manage',
    allow: seesPayouts,
    render: (machines, viewer) => (
      <WithFetched machines={machines} page={PayoutsPage}>
        {(fetched) => <PayoutsPage {...fetched.payouts} viewer={viewer} />}
      </WithFetched>
    ),
  },
  {
    path: '/month/:month/variance',
    title: 'Variance',
    allow: readsVariance,
    render: (machines) => (
      <WithFetched machines={machines} page={VariancePage}>
        {(fetched) => <VariancePage machines={fetched.variance} view="variance" />}
      </WithFetched>
    ),
  },
  {
    path: '/month/:month/missing',
    title: 'Missing Income',
    allow: readsVariance,
    render: (machines) => (
      <WithFetched machines={machines} page={VariancePage}>
        {(fetched) => <VariancePage machines={fetched.variance} view="missing" />}
      </WithFetched>
    ),
  },
  {
    path: '/audit',
    title: 'Audit',
    menu: 'manage',
    allow: readsAudit,
    render: (machines) => (
      <WithFetched machines={machines} page={AuditPage}>
        {(fetched) => <AuditPage machines={fetched.audit} />}
      </WithFetched>
    ),
  },
  {
    path: '/shared-drive',
    title: 'Shared Drive',
    menu: 'bar',
    allow: everyone,
    render: (machines) => (
      <WithFetched machines={machines} page={DrivePage}>
        {(fetched) => <DrivePage {...fetched.drive} />}
      </WithFetched>
    ),
  },
]
