import { describe, expect, it } from 'vitest'
import { allFilesOf, exists, filesOf, importsOf, read } from './structure.ts'

const folders = ['schemas', 'machines', 'src', 'server', 'inspector', 'vite-plugins', 'bench', 'tests']
const pages = allFilesOf('docs/product').map((file) => file.replace(/^.*\/|\.md$/g, ''))

/** '12' of '## 12. Rules of a password'. */
const headingsOf = (text: string) => [...text.matchAll(/^## (\d+)\. \S/gm)].map(([, number]) => number!)

const headings = Object.fromEntries(pages.map((page) => [page, headingsOf(read(`docs/product/${page}.md`))]))
const decisions = allFilesOf('docs/decisions').map((file) => file.replace(/^.*\//, ''))

/** The comments of a file of code, and of SQL. */
const commentsOf = (file: string, text: string): string[] =>
  file.endsWith('.sql')
    ? [...text.matchAll(/--.*/g)].map(([all]) => all)
    : [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/.*/g)].map(([all]) => all)

/** 'permissions 4' and 'errors 1' of '(permissions 4, errors 1)'. */
const citationsIn = (comment: string): string[] =>
  [...comment.replace(/\n\s*\*?\s*/g, ' ').matchAll(/\(([a-z]+ \d+(?:, (?:[a-z]+ )?\d+)*)\)/g)].flatMap(
    ([, list]) => {
      let page = ''
      return list!.split(', ').map((one) => {
        const [, name, number] = /^(?:([a-z]+) )?(\d+)$/.exec(one)!
        page = name ?? page
        return `${page} ${number}`
      })
    },
  )

const isResolved = (citation: string): boolean => {
  const [page, number] = citation.split(' ') as [string, string]
  if (page === 'decision') return decisions.some((file) => file.startsWith(`${number.padStart(3, '0')}-`))
  return headings[page]?.includes(number) ?? false
}

const isAboutProduct = (citation: string) => {
  const page = citation.split(' ')[0]!
  return page === 'decision' || pages.includes(page)
}

const sources = folders.flatMap((folder) => [
  ...filesOf(folder),
  ...allFilesOf(folder).filter((file) => file.endsWith('.sql')),
])
/** Of a test all of its text, whose titles cite as well; of other code its comments. */
const citingTexts = (file: string): string[] =>
  file.startsWith('tests/') ? [read(file)] : commentsOf(file, read(file))
const cited = sources.flatMap((file) =>
  citingTexts(file)
    .flatMap(citationsIn)
    .filter(isAboutProduct)
    .map((citation) => ({ file, citation })),
)

describe('a citation', () => {
  it('in code names a heading of docs/product or a decision that exists', () => {
    expect(cited.length).toBeGreaterThan(100)
    expect(cited.filter(({ citation }) => !isResolved(citation))).toEqual([])
  })

  it('in docs names a heading that exists', () => {
    const texts = [...allFilesOf('docs/product'), 'docs/promises.md', 'docs/asvs.md']
    const wrong = texts.flatMap((file) =>
      citationsIn(read(file))
        .filter(isAboutProduct)
        .filter((citation) => !isResolved(citation))
        .map((citation) => `${file}: ${citation}`),
    )
    expect(wrong).toEqual([])
  })

  it('of a document outside the repository does not exist', () => {
    const outside =
      /\b[Ss]pecification\b|\b[Ss]ections? \d|\bdecisions?, section|\bdomain(?: \d|,)|\(D\d{1,2}\)|\bD\d{1,2}\b(?=[,;:.)])/
    const found = sources.flatMap((file) =>
      commentsOf(file, read(file))
        .filter((comment) => outside.test(comment))
        .map((comment) => `${file}: ${comment.slice(0, 120)}`),
    )
    expect(found).toEqual([])
  })

  it('that names no heading is found', () => {
    expect(citationsIn('/** Refused (permissions 4, errors 1, 2). */')).toEqual([
      'permissions 4',
      'errors 1',
      'errors 2',
    ])
    expect(isResolved('permissions 4')).toBe(true)
    expect(isResolved('permissions 400')).toBe(false)
    expect(isResolved('decision 1')).toBe(true)
    expect(isResolved('decision 99')).toBe(false)
  })
})

describe('the pages of docs', () => {
  it('of docs/product number their headings from 1 without gaps', () => {
    for (const page of pages)
      expect([page, headings[page]]).toEqual([page, headings[page]!.map((_, at) => String(at + 1))])
  })

  it('of docs/decisions are numbered from 1 without gaps, in file name and title', () => {
    expect(decisions.map((file) => Number(file.slice(0, 3)))).toEqual(decisions.map((_, at) => at + 1))
    for (const file of decisions)
      expect(read(`docs/decisions/${file}`)).toMatch(new RegExp(`^# ${Number(file.slice(0, 3))}\\. `))
  })

  it('link only to files that exist', () => {
    const texts = [...allFilesOf('docs').filter((file) => file.endsWith('.md')), 'README.md']
    const broken = texts.flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, link]) => new URL(link!, `file:///${file}`).pathname.slice(1))
        .filter((path) => !exists(path))
        .map((path) => `${file}: ${path}`),
    )
    expect(broken).toEqual([])
  })
})

describe('the reading paths of README', () => {
  const readme = read('README.md')
  const neighbours = new Map<string, Set<string>>()
  for (const { from, to } of ['schemas', 'machines', 'src', 'server'].flatMap(filesOf).flatMap(importsOf))
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      neighbours.set(one, (neighbours.get(one) ?? new Set()).add(other))
  const next = (file: string) => [...(neighbours.get(file) ?? [])]
  const pathOf = (title: string) => {
    const section = readme.split(/^##+ /m).find((text) => text.startsWith(title)) ?? ''
    return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file]) => file!)
  }

  it.each([
    ['Follow the Save of a merchant', 8],
    ['Follow a cell of an imported file', 8],
    ['Follow a month of a report to its SQL', 6],
  ])('%s lists at most %i files that exist, each two imports at most from one before', (title, most) => {
    const path = pathOf(title)
    expect(path.length).toBeGreaterThan(3)
    expect(path.length).toBeLessThanOrEqual(most)
    expect(path.filter((file) => !exists(file))).toEqual([])
    const apart = path.slice(1).filter((file, at) => {
      const near = new Set([file, ...next(file), ...next(file).flatMap(next)])
      return !path.slice(0, at + 1).some((before) => near.has(before))
    })
    expect(apart).toEqual([])
  })
})
