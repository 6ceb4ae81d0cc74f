import { Classes, HTMLSelect } from '@blueprintjs/core'
import { Link, type To } from 'react-router-dom'
import { formatCount } from '../format.ts'

/** The number of pages for `total` rows; an empty list has one. */
export const pageCount = (total: number, size: number): number => Math.max(1, Math.ceil(total / size))

/** The page numbers to show: at most `links`, the current one in the middle unless near an end (lists 3). */
export const pageWindow = (page: number, pages: number, links: number): number[] => {
  const length = Math.min(links, pages)
  const first = Math.min(Math.max(1, page - Math.floor(links / 2)), pages - length + 1)
  return Array.from({ length }, (_, index) => first + index)
}

/** The page that holds the first row of this page once pages have `newSize` rows. */
export const pageAfterResize = (page: number, size: number, newSize: number): number =>
  Math.floor(((page - 1) * size) / newSize) + 1

/** The rows of a page, counted from 1: [11, 20] */
export const shownRows = (page: number, size: number, total: number): [first: number, last: number] => [
  Math.min((page - 1) * size + 1, total),
  Math.min(page * size, total),
]

type PagerProps = {
  page: number
  size: number
  total: number
  /** The page of the rows that are shown, while another page is loading. */
  shown: { page: number; size: number }
  /** The most page numbers shown at once. */
  links: number
  /** Leaves out the links to the first and the last page. */
  plain?: boolean
  href: (page: number) => To
}

const linkClass = `${Classes.BUTTON} ${Classes.MINIMAL} pager-link`

/** The pages of a list as real links, so that they open in a new tab and the Back button works. */
export const Pager = ({ page, size, total, shown, links, plain = false, href }: PagerProps) => {
  const pages = pageCount(total, size)
  const [first, last] = shownRows(shown.page, shown.size, total)
  return (
    <div className="pager">
      <p className="pager-summary" role="status">
        {total > 0 && `Showing ${formatCount(first)} to ${formatCount(last)} of ${formatCount(total)}`}
      </p>
      <nav aria-label="Pages" hidden={total === 0}>
        <ul className="pager-list">
          {!plain && <Step name="First" arrow="«" to={page > 1 ? href(1) : null} />}
          <Step name="Previous" arrow="‹" to={page > 1 ? href(page - 1) : null} />
          {pageWindow(page, pages, links).map((to) => (
            <li key={to}>
              <Link
                className={`${linkClass} ${to === page ? Classes.ACTIVE : ''}`}
                to={href(to)}
                aria-label={`Page ${formatCount(to)}`}
                aria-current={to === page ? 'page' : undefined}
              >
                {formatCount(to)}
              </Link>
            </li>
          ))}
          <Step name="Next" arrow="›" to={page < pages ? href(page + 1) : null} isForward />
          {!plain && <Step name="Last" arrow="»" to={page < pages ? href(pages) : null} isForward />}
        </ul>
      </nav>
    </div>
  )
}

/** `to` is null where there is no such page. */
type StepProps = { name: string; arrow: string; to: To | null; isForward?: boolean }

const Step = ({ name, arrow, to, isForward = false }: StepProps) => {
  const label = (
    <>
      {!isForward && <span aria-hidden="true">{arrow}</span>}
      <span className="pager-name">{name}</span>
      {isForward && <span aria-hidden="true">{arrow}</span>}
    </>
  )
  return (
    <li>
      {to === null ? (
        <span className={`${linkClass} ${Classes.DISABLED}`} aria-disabled="true">
          {label}
        </span>
      ) : (
        <Link className={linkClass} to={to} aria-label={`${name} page`}>
          {label}
        </Link>
      )}
    </li>
  )
}

type PageSizeProps<S extends number> = { size: S; sizes: readonly S[]; onChange: (size: S) => void }

/** The selector of the page size. */
export const PageSize = <S extends number>({ size, sizes, onChange }: PageSizeProps<S>) => (
  <label className="page-size">
    Rows per page
    <HTMLSelect
      value={size}
      options={[...sizes]}
      iconProps={{ title: null }}
      onChange={({ currentTarget: { value } }) => {
        const chosen = sizes.find((offered) => offered === Number(value))
        if (chosen !== undefined) onChange(chosen)
      }}
    />
  </label>
)
