import { Classes } from '@blueprintjs/core'
import { Link, type To } from 'react-router-dom'
import { pageCount, pageWindow, shownRows } from './pages.ts'

type Props = {
  page: number
  size: number
  total: number
  /** At most so many page numbers at once. */
  links: number
  href: (page: number) => To
}

const look = `${Classes.BUTTON} ${Classes.MINIMAL} pager-link`
const number = (value: number) => value.toLocaleString('en-US')

/** Numbered pages with boundary links. Each is a real link, so it opens in a new tab and the Back button works. */
export const Pager = ({ page, size, total, links, href }: Props) => {
  const pages = pageCount(total, size)
  const [first, last] = shownRows(page, size, total)
  const step = (name: string, mark: string, to: number) => (
    <li className={name === 'First' || name === 'Last' ? 'pager-boundary' : undefined}>
      {to < 1 || to > pages || to === page ? (
        <span className={`${look} ${Classes.DISABLED}`} aria-disabled="true">
          <span aria-hidden="true">{mark}</span> <span className="pager-name">{name}</span>
        </span>
      ) : (
        <Link className={look} to={href(to)} aria-label={`${name} page`}>
          <span aria-hidden="true">{mark}</span> <span className="pager-name">{name}</span>
        </Link>
      )}
    </li>
  )
  return (
    <div className="pager">
      <p className="pager-summary" role="status">
        {total > 0 && `Showing ${number(first)} to ${number(last)} of ${number(total)}`}
      </p>
      <nav aria-label="Pages" hidden={total === 0}>
        <ul className="pager-list">
          {step('First', '«', 1)}
          {step('Previous', '‹', page - 1)}
          {pageWindow(page, pages, links).map((to) => (
            <li key={to}>
              <Link
                className={`${look} pager-number ${to === page ? Classes.ACTIVE : ''}`}
                to={href(to)}
                aria-label={`Page ${number(to)}`}
                aria-current={to === page ? 'page' : undefined}
              >
                {number(to)}
              </Link>
            </li>
          ))}
          {step('Next', '›', page + 1)}
          {step('Last', '»', pages)}
        </ul>
      </nav>
    </div>
  )
}
