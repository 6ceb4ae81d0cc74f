/** `isFigure`: its column is aligned to the end. `isHidden`: it is there for screen readers alone. */
export type Head = { text: string; isFigure?: boolean; isHidden?: boolean }

/** The headings of a table that cannot be sorted. */
export const TableHeads = ({ heads }: { heads: readonly Head[] }) => (
  <thead>
    <tr>
      {heads.map(({ text, isFigure, isHidden }) => (
        <th key={text} scope="col" className={isFigure ? 'table-figures' : undefined}>
          {isHidden ? <span className="visually-hidden">{text}</span> : text}
        </th>
      ))}
    </tr>
  </thead>
)
