// The tables of docs/performance.md and of the README, from the kept runs.
import { figureRows, ratiosOf } from './figure-rows.mjs'
import { lanes } from './lanes.mjs'
import { median } from './parts.mjs'
import { number } from './number.mjs'

const major = ({ node }) => `Node ${node.slice(1).split('.')[0]}`
const peersOf = (runs) => [...new Set(runs.flatMap((run) => (run.peers ?? []).map(({ name }) => name)))]
/** columns that hold words, no numbers */
const words = new Set(['figure'])
const table = (head, rows) => [
  `| ${head.join(' | ')} |`,
  `|${head.map((name, i) => (i === 0 || words.has(name) ? '---' : '--:')).join('|')}|`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
]

const same = (one, other) => one.title === other?.title && one.figure === other.figure

/** Beside the lanes: starts, stops, alarms and the page. */
const others = [
  'start to listening',
  'longest block: start with 10 000 session files',
  'idle',
  'stop to typed, real agents: median',
  'stop to typed, real agents: p99',
  '1000 stop at once, reviewed after 1 s: each',
  '100 000 alarms: start scan',
  '100 000 alarms: longest block of the start scan',
  '200 engines with 50 sessions at one hub: the first list of all',
  '200 engines with 50 sessions at one hub: until a change is listed',
  '200 engines with 50 sessions at one hub: a command',
  'the page before its first paint, compressed',
  'dashboard: first paint',
  'dashboard: key in 1 000 sessions updating 50 times a second',
]

/** A line for each lane, with its first figure, for each of the others, and for what else missed its limit. */
function figureTable(runs) {
  const all = runs.map(figureRows)
  const shown = [...lanes.map(({ title }) => title), ...others].map((title) =>
    all.flat().find((row) => row.title === title),
  )
  const rows = [...shown, ...all.flat().filter(({ reached }) => reached === 'MISSED')].filter(
    (row, i, every) => row && every.findIndex((other) => same(row, other)) === i,
  )
  const cell = (row) => (row ? `${number(row.value)}${row.reached === 'MISSED' ? ', missed' : ''}` : '–')
  return table(
    ['what', 'figure', 'must (goal)', ...runs.map(major)],
    rows.map((row) => [
      row.title,
      row.figure.replace('CPU per request', 'CPU'),
      `${row.must ?? '–'} (${row.goal ?? '–'})`,
      ...all.map((of) => cell(of.find((other) => same(row, other)))),
    ]),
  )
}

/** What the README shows: what most requests of an agent are like. */
const short = new Set(['json-2k-c1', 'json-2k-c64', 'json-200k-c64', 'agent-turn-c4', 'convert-turn-c4'])

function ratioRows(run, peers) {
  const cellOf = (lane, target) => {
    const ratios = ratiosOf(run, lane, target, 'cpuPerRequest').filter(Number.isFinite)
    return ratios.length > 0 ? number(median(ratios)) : '–'
  }
  return lanes
    .filter(({ id }) => short.has(id) && run.cells.some((c) => c.lane === id))
    .map((lane) => [lane.title, ...['onward', 'onward-plain', ...peers].map((target) => cellOf(lane, target))])
}

const ratioTable = (run, peers) =>
  table(['CPU per request ÷ bare proxy', 'Onward as it comes', 'nothing added', ...peers], ratioRows(run, peers))

const machine = (run) => `${run.node}: ${run.cores} cores${run.cpu ? `, ${run.cpu}` : ''}.`

const begin = '<!-- written by npm run bench -- --write-docs -->'
const end = '<!-- end -->'

/** Returns the text with what stands between its marks written anew. */
function withLines(text, lines) {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error('there are no marks for the table of the bench')
  return `${text.slice(0, from)}${[begin, '', ...lines, ''].join('\n')}\n${text.slice(to)}`
}

/** docs/performance.md with its table of all runs. */
export function pageWith(page, runs) {
  const dates = runs.flatMap(({ stamps = {} }) => Object.values(stamps).map(({ date }) => date)).toSorted()
  const peers = runs
    .slice(0, 1)
    .flatMap((run) => (run.peers ?? []).map(({ name, version }) => `${name} is ${version}.`))
  return withLines(page, [
    ...figureTable(runs),
    '',
    `Measured ${dates[0]} to ${dates.at(-1)}.`,
    ...runs.map(machine),
    ...peers,
  ])
}

/** The README with its table of the first run. */
export function readmeWith(readme, runs) {
  const [run] = runs
  const stamps = Object.entries(run.stamps ?? {}).flatMap(([id, stamp]) => (short.has(id) ? [stamp] : []))
  const when = [...new Set(stamps.map(({ date }) => date))].toSorted().join(' and ')
  const fewest = Math.min(...stamps.map(({ rounds }) => rounds))
  const seen = fewest === 1 ? 'one round' : `medians of ${fewest} rounds`
  return withLines(readme, [
    ...ratioTable(run, peersOf([run])),
    '',
    `${major(run)}, ${run.cores} cores, ${seen}, measured ${when}; less is better.`,
  ])
}
