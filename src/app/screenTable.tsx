import { lazy, Suspense, type ReactNode } from 'react'
import { entities } from '../../schemas/entities/index.ts'
import { imports } from '../../schemas/imports/imports.ts'
import { everyone, holds, type Rule, type Viewer } from '../../schemas/permissions.ts'
import type { ScreenMachines } from '../api/provide.ts'
import type { ExtraColumn } from '../parts/Table.tsx'

const HomePage = lazy(async () => ({ default: (await import('../features/home/HomePage.tsx')).HomePage }))
const EntityPage = lazy(async () => ({
  default: (await import('../features/entity/EntityPage.tsx')).EntityPage,
}))
const AcceptanceButton = lazy(async () => ({
  default: (await import('../features/entity/Acceptance.tsx')).AcceptanceButton,
}))
const ReportPage = lazy(async () => ({
  default: (await import('../features/reports/ReportPage.tsx')).ReportPage,
}))
const DrivePage = lazy(async () => ({ default: (await import('../features/drive/DrivePage.tsx')).DrivePage }))
const TicketsPage = lazy(async () => ({
  default: (await import('../features/tickets/TicketsPage.tsx')).TicketsPage,
}))
const ImportPage = lazy(async () => ({
  default: (await import('../features/imports/ImportPage.tsx')).ImportPage,
}))

/** Where the shell offers a screen: in a dropdown, on the bar itself, or at its right side. */
export type Menu = 'manage' | 'imports' | 'bar' | 'side'
export type Screen = {
  path: string
  title: string
  menu?: Menu
  /** Where the menu says it shorter than the heading. */
  menuText?: string
  allow: Rule
  /** `email` is null until it has been validated. */
  render: (wired: ScreenMachines, viewer: Viewer, email: string | null) => ReactNode
}

/** What the list of an entity has beside its columns. */
const extras: Readonly<Record<string, (wired: ScreenMachines) => ExtraColumn>> = {
  tc: (wired) => ({
    head: 'Acceptance by User',
    // A boundary of its own: else the whole screen, an open dialog included, would go away until the button is there.
    render: (id) => (
      <Suspense fallback={null}>
        <AcceptanceButton id={id} machineOf={wired.acceptance} />
      </Suspense>
    ),
  }),
}

/** Every screen behind the login, in the order of the menus. Lists and imports come from their registries. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    title: 'Home',
    allow: everyone,
    render: (wired, viewer) => <HomePage chart={wired.chart} canImport={holds('import_files')(viewer)} />,
  },
  {
    path: '/tickets',
    title: 'Support Tickets',
    menu: 'side',
    allow: everyone,
    render: (wired, viewer, email) => <TicketsPage {...wired.tickets} viewer={viewer} email={email} />,
  },
  ...Object.values(entities).map((it): Screen => ({
    path: it.path,
    title: it.title,
    menu: it.menu?.at ?? 'manage',
    menuText: it.menu?.text,
    allow: it.access.see ?? it.access.list,
    render: (wired, viewer) => (
      <EntityPage
        entity={it}
        list={wired.list(it)}
        modal={wired.modal(it)}
        lookup={wired.searchRecords}
        viewer={viewer}
        extraColumn={extras[it.name]?.(wired)}
      />
    ),
  })),
  ...Object.values(imports).map((it): Screen => ({
    path: it.path,
    title: it.title,
    menu: 'imports',
    allow: holds('import_files'),
    render: (wired) => <ImportPage definition={it} machines={wired.imports(it)} />,
  })),
  {
    path: '/reporting',
    title: 'Reporting',
    menu: 'bar',
    allow: everyone,
    render: (wired, viewer) => <ReportPage machine={wired.report} viewer={viewer} />,
  },
  {
    path: '/shared-drive',
    title: 'Shared Drive',
    menu: 'bar',
    allow: everyone,
    render: (wired) => <DrivePage {...wired.drive} />,
  },
]
