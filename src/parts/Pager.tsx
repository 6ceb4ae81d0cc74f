import { Classes, HTMLSelect } from '@blueprintjs/core'
import { Link, type To } from 'react-router-dom'

/** How many pages hold `total` rows; an empty list still has one. */
export const pageCount = (total: number, size: number): number => Math.max(1, Math.ceil(total / size))

/** The page numbers on offer: at most `links`, the current one in the middle where both ends allow it. */
export const pageWindow = (page: number, pages: number, links: number): number[] => {
  const length = Math.min(links, pages)
  const first = Math.min(Math.max(1, page - Math.floor(links / 2)), pages - length + 1)
  return Array.from({ length }, (_, index) => first + index)
}

/** The page of `newSize` rows that still holds the first row of this one. */
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
  /** At most so many page numbers at once. */
  links: number
  /** Without links to the first and last page. */
  plain?: boolean
  href: (page: number) => To
}

const look = `${Classes.BUTTON} ${Classes.MINIMAL} pager-link`
const number = (value: number) => value.toLocaleString('en-US')

/**
 * Numbered pages with boundary links. Each is a real link, so it opens in a new tab and the Back button
 * works.
 */
export const Pager = ({ page, size, total, links, plain = false, href }: PagerProps) => {
  const pages = pageCount(total, size)
  const [first, last] = shownRows(page, size, total)
  return (
    <div className="pager">
      <p className="pager-summary" role="status">
        {total > 0 && `Showing ${number(first)} to ${number(last)} of ${number(total)}`}
      </p>
      <nav aria-label="Pages" hidden={total === 0}>
        <ul className="pager-list">
          {!plain && <Step name="First" mark="«" to={page > 1 ? href(1) : null} />}
          <Step name="Previous" mark="‹" to={page > 1 ? href(page - 1) : null} />
          {pageWindow(page, pages, links).map((to) => (
            <li key={to}>
              <Link
                className={`${look} ${to === page ? Classes.ACTIVE : ''}`}
                to={href(to)}
                aria-label={`Page ${number(to)}`}
                aria-current={to === page ? 'page' : undefined}
              >
                {number(to)}
              </Link>
            </li>
          ))}
          <Step name="Next" mark="›" to={page < pages ? href(page + 1) : null} isForward />
          {!plain && <Step name="Last" mark="»" to={page < pages ? href(pages) : null} isForward />}
        </ul>
      </nav>
    </div>
  )
}

/** `to` is null where there is no such page. */
const Step = ({
  name,
  mark,
  to,
  isForward = false,
}: {
  name: string
  mark: string
  to: To | null
  isForward?: boolean
}) => {
  const words = (
    <>
      {!isForward && <span aria-hidden="true">{mark}</span>}
      <span className="pager-name">{name}</span>
      {isForward && <span aria-hidden="true">{mark}</span>}
    </>
  )
  return (
    <li>
      {to === null ? (
        <span className={`${look} ${Classes.DISABLED}`} aria-disabled="true">
          {words}
        </span>
      ) : (
        <Link className={look} to={to} aria-label={`${name} page`}>
          {words}
        </Link>
      )}
    </li>
  )
}

type PageSizeProps = { size: number; sizes: readonly number[]; onChange: (size: number) => void }

/** How many rows a page shows. */
export const PageSize = ({ size, sizes, onChange }: PageSizeProps) => (
  <label className="page-size">
    Rows per page
    <HTMLSelect
      value={size}
      options={[...sizes]}
      iconProps={{ title: null }}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  </label>
)
