import { readFileSync } from 'node:fs'
import { chartOf } from '../../inspector/chart.ts'
import { type Layer, layers, type LivedPath } from '../mbt/pathLog.ts'
import { complaints, type MachineOutcome, type Outcome, type TransitionRow } from './outcome.ts'

const here = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const safe = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const count = (n: number) => n.toLocaleString('en-US')
const layerWords: Record<Layer, string> = {
  actor: 'actor alone',
  screen: 'rendered screens',
  chromium: 'Chromium',
}
const outcomeWords = {
  passed: 'taken and passed',
  failed: 'failed',
  missing: 'never taken',
  excused: 'excused',
} as const

/** What docs/machines/README.md says of each machine, in its three lines. */
const told = (machine: string): string =>
  new RegExp(`^## \\[${machine}\\].*\\n((?:.+\\n?)+)`, 'm')
    .exec(here('../../docs/machines/README.md'))?.[1]
    ?.trim() ?? ''

/** 'termsPrompt.asking' of 'session.termsPrompt.asking'. */
const inside = (state: string) => state.split('.').slice(1).join('.') || 'anywhere'

const row = ({ id, source, event, guard, target, paths, outcome, excuse }: TransitionRow) => `
<tr data-transition="${safe(id)}" class="${outcome}">
  <td>${safe(inside(source))}</td><th scope="row"><button type="button">${safe(event)}</button></th><td>${guard ? `<code>${safe(guard)}</code>` : ''}</td><td>${safe(inside(target))}</td>
  ${layers.map((layer) => `<td class="number">${count(paths[layer])}</td>`).join('')}
  <td class="outcome">${outcomeWords[outcome]}${excuse ? `: ${safe(excuse)}` : ''}</td>
</tr>`

const path = ({ steps, taken, error, states }: LivedPath) => `
<li data-taken="${safe(taken.join('\n'))}"${error === null ? '' : ' class="failed"'}>
  <ol>${steps.map((step, at) => `<li>${safe(step)}<span>${safe(states[at] ?? '')}</span></li>`).join('')}</ol>${error === null ? '' : `<pre>${safe(error)}</pre>`}
</li>`

/** Screens first: those can be followed by hand. */
const pathsOf = (paths: readonly LivedPath[]) =>
  (['chromium', 'screen', 'actor'] as const)
    .map((layer) => ({ layer, own: paths.filter((one) => one.layer === layer) }))
    .filter(({ own }) => own.length > 0)
    .map(
      ({ layer, own }) =>
        `<details class="paths"><summary>${count(own.length)} paths: ${layerWords[layer]}</summary><p class="narrowed" hidden></p><ul>${own.map(path).join('')}</ul></details>`,
    )
    .join('')

const picture = (file: string) => `data:image/webp;base64,${readFileSync(file).toString('base64')}`

function gallery(paths: readonly LivedPath[]) {
  const shots = new Map(
    paths.flatMap(({ model, shots: own }) =>
      Object.entries(own).map(([state, file]) => [`${model}: ${state}`, file] as const),
    ),
  )
  if (shots.size === 0) return ''
  const figures = [...shots].map(
    ([name, file]) =>
      `<figure><img loading="lazy" alt="${safe(name)}" src="${picture(file)}"><figcaption>${safe(name)}</figcaption></figure>`,
  )
  return `<details class="pictures"><summary>${shots.size} states as seen in Chromium</summary><div>${figures.join('')}</div></details>`
}

const score = ({ faults }: MachineOutcome) => {
  if (!faults) return '<p>No fault was tried.</p>'
  const harmless = Object.entries(faults.harmless).map(
    ([name, why]) => `<li><code>${safe(name)}</code>: ${safe(why)}</li>`,
  )
  return `<p>${count(faults.shown)} of ${count(faults.all)} single faults made in it are shown by a path${harmless.length ? '; the others make no difference:' : '.'}</p>${harmless.length ? `<ul>${harmless.join('')}</ul>` : ''}`
}

async function section(it: MachineOutcome): Promise<string> {
  const coloured = it.rows.map(({ id, outcome }) => [id, outcome])
  return `
<section id="${it.name}">
  <h2>${it.name}</h2>
  <p class="told">${safe(told(it.name))}</p>
  ${score(it)}
  <div class="drawing" data-outcomes="${safe(JSON.stringify(coloured))}">${await chartOf(it.machine)}</div>
  <div class="wide"><table>
    <caption>Its ${it.rows.length} transitions, and through how many paths each was taken</caption>
    <thead><tr><th scope="col">In</th><th scope="col">On</th><th scope="col">If</th><th scope="col">To</th>${layers.map((layer) => `<th scope="col" class="number">${layerWords[layer]}</th>`).join('')}<th scope="col">Outcome</th></tr></thead>
    <tbody>${it.rows.map(row).join('')}</tbody>
  </table></div>
  ${pathsOf(it.paths)}
  ${gallery(it.paths)}
</section>`
}

/** The whole report as one page that needs nothing else, neither a server nor the internet. */
export async function pageOf(all: readonly MachineOutcome[]): Promise<string> {
  const rows = all.flatMap((it) => it.rows)
  const paths = all.flatMap((it) => it.paths)
  const wrong = complaints(all)
  const shown = all.reduce((sum, { faults }) => sum + (faults?.shown ?? 0), 0)
  const made = all.reduce((sum, { faults }) => sum + (faults?.all ?? 0), 0)
  const taken = (layer: Layer) => rows.filter((one) => one.paths[layer] > 0).length
  const figures = [
    [count(rows.length), `transitions of ${all.length} machines`],
    ...layers.map((layer) => [
      `${count(taken(layer))} of ${count(rows.length)}`,
      `taken: ${layerWords[layer]}, ${count(paths.filter((one) => one.layer === layer).length)} paths`,
    ]),
    [`${count(shown)} of ${count(made)}`, 'single faults of a machine shown'],
  ]
  const came = (of: readonly TransitionRow[], what: Outcome) =>
    of.filter(({ outcome }) => outcome === what).length
  const excused = came(rows, 'excused')
  const fine = `Every declared transition was taken on every layer, and passed${excused ? `, but for ${excused} excused with a reason` : ''}.`
  const verdict =
    wrong.length === 0
      ? fine
      : `${wrong.length} ${wrong.length === 1 ? 'transition' : 'transitions'} failed or never taken`
  const overview = all.map((it) => {
    const bad = came(it.rows, 'failed') + came(it.rows, 'missing')
    const good = (['passed', 'excused'] as const)
      .flatMap((what) => (came(it.rows, what) ? `${came(it.rows, what)} ${what}` : []))
      .join(', ')
    return `<li><a href="#${it.name}">${it.name}</a> <span class="${bad ? 'bad' : 'good'}">${bad ? `${bad} of ${it.rows.length} not passed` : good}</span></li>`
  })
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Transition report</title><style>${here('page.css')}</style></head>
<body>
<header>
  <h1>Transition report</h1>
  <p class="verdict ${wrong.length ? 'bad' : 'good'}">${safe(verdict)}</p>
  <dl>${figures.map(([value, what]) => `<div><dt>${what}</dt><dd>${value}</dd></div>`).join('')}</dl>
  <p class="legend"><span class="passed">taken and passed</span><span class="failed">failed</span><span class="missing">never taken on some layer</span><span class="excused">excused, with a reason</span></p>
  ${wrong.length ? `<details><summary>Which</summary><ul>${wrong.map((one) => `<li>${safe(one)}</li>`).join('')}</ul></details>` : ''}
  <nav aria-label="Machines"><ul>${overview.join('')}</ul></nav>
</header>
<main>${(await Promise.all(all.map(section))).join('')}</main>
<script>${here('page.js')}</script>
</body></html>
`
}
