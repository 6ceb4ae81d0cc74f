import '../../parts/parts.css'
import { InboxList, type InboxMachines } from './InboxList.tsx'

/** The screen of the files that came and are not imported yet (inbox 8). */
export const InboxPage = ({ machines }: { machines: InboxMachines }) => (
  <section className="entity-page inbox-page">
    <header className="page-head">
      <h1>Inbox</h1>
    </header>
    <InboxList machines={machines} />
  </section>
)
