import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Row, Slope } from './rows.ts'
import { linesOf } from './table.ts'

export type Run = {
  /** ISO time of its end. */
  at: string
  machine: string
  /** 'short', 'full' or 'large', and what else it was asked for. */
  form: string
  rows: Row[]
  slopes: Slope[]
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const cells = (line: readonly string[], tag: string) =>
  line.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')

const styles = `
  :root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 1200px; padding: 24px 16px; }
  .chart { height: 420px; } .wide { overflow-x: auto; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th, td { border-bottom: 1px solid #8884; padding: 4px 8px; text-align: left; white-space: nowrap; }
  td:nth-child(2), td:nth-child(4), td:nth-child(5), td:nth-child(6), td:nth-child(7) { text-align: right; }
  td:last-child { white-space: normal; min-width: 24em; }`

/** Draws how CPU grows with the merchants, an area a chart, and the CPU of each case beside the others. */
const script = `
  const dark = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : null
  const draw = (id, option) => {
    const chart = echarts.init(document.getElementById(id), dark)
    chart.setOption({ backgroundColor: 'transparent', animation: false, ...option })
    addEventListener('resize', () => chart.resize())
  }
  const nice = (value) => (value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en-US'))
  const tooltip = { trigger: 'axis', valueFormatter: (value) => (value == null ? '' : nice(value) + ' ms') }
  // Everybody has one color in all charts.
  const colors = {
    portal: '#2d72d2', plain: '#c87619', prepared: '#29a634', pgbench: '#7961db', bare: '#8f99a8',
    Directus: '#d33d17',
  }
  for (const [at, { area, slopes, largest }] of run.areas.entries()) {
    if (slopes.length > 0)
      draw('growth' + at, {
        title: { text: area + ': CPU by merchants, ms', textStyle: { fontSize: 14 } },
        grid: { left: 60, right: 300, top: 40, bottom: 40 }, tooltip,
        legend: { type: 'scroll', orient: 'vertical', right: 0, top: 40, width: 240 },
        xAxis: { type: 'log', name: 'merchants', min: 'dataMin', max: 'dataMax' },
        yAxis: { type: 'log' },
        series: slopes.map((it) => ({ type: 'line', name: it.case,
          data: it.points.map(({ size, figure }) => [size, figure]) })),
      })
    draw('beside' + at, {
      title: { text: area + ': CPU at the largest size, ms', textStyle: { fontSize: 14 } },
      grid: { left: 280, right: 40, top: 60, bottom: 30 }, tooltip, legend: { top: 26 },
      xAxis: { type: 'log' },
      yAxis: { type: 'category', data: largest.cases, inverse: true, splitLine: { show: true } },
      // Dots: a bar has no length on a logarithmic axis.
      series: largest.series.map((it) => ({
        type: 'scatter', symbolSize: it.name === 'portal' ? 12 : 8,
        itemStyle: { color: colors[it.name] }, ...it,
      })),
    })
  }`

/** What the charts of an area show: its growth, and everybody's CPU at the largest size. */
function chartsOf(run: Run) {
  const names = [...new Set(run.rows.map(({ area }) => area))]
  return names
    .map((area) => {
      const rows = run.rows.filter((row) => row.area === area)
      const most = Math.max(...rows.map(({ size }) => size))
      const last = rows.filter(
        ({ size, contenders }) => size === most && contenders.some(({ figures }) => figures.cpu),
      )
      const contenders = [...new Set(last.flatMap((row) => row.contenders.map(({ name }) => name)))]
      const cpuOf = (row: Row, name: string) =>
        row.contenders.find((it) => it.name === name)?.figures.cpu?.median ?? null
      return {
        area,
        slopes: run.slopes.filter((it) => it.area === area && it.points.length > 1),
        largest: {
          cases: last.map((row) => row.case),
          series: contenders.map((name) => ({ name, data: last.map((row) => cpuOf(row, name)) })),
        },
      }
    })
    .filter(({ largest }) => largest.cases.length > 0)
}

/** One file of HTML with the charts and the table of a run, which needs nothing else to be shown. */
export function pageOf(run: Run): string {
  const echarts = readFileSync(createRequire(import.meta.url).resolve('echarts/dist/echarts.min.js'), 'utf8')
  const charts = chartsOf(run)
  const data = JSON.stringify({ areas: charts }).replaceAll('<', '\\u003c')
  const heights = charts.map(({ largest }) => 120 + largest.cases.length * 26)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Bench ${escaped(run.at)}</title>
<style>${styles}</style></head>
<body><h1>Bench</h1><p>${escaped(`${run.at}, ${run.form}, ${run.machine}`)}</p>
${charts
  .map(({ slopes }, at) =>
    [
      slopes.length > 0 ? `<div class="chart" id="growth${at}"></div>` : '',
      `<div id="beside${at}" style="height: ${heights[at]}px"></div>`,
    ].join('\n'),
  )
  .join('\n')}
<div class="wide"><table><thead><tr>${cells(
    ['Case', 'Merchants', 'Who', 'CPU ms', 'A second', 'p95 ms', 'Spread', 'Goal'],
    'th',
  )}</tr></thead><tbody>
${run.rows
  .flatMap(linesOf)
  .map((line) => `<tr>${cells(line, 'td')}</tr>`)
  .join('\n')}
</tbody></table></div>
<script>${echarts}</script><script>const run = ${data}${script}</script></body></html>
`
}
