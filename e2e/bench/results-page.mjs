// docs/performance-results.md and the short table of the README, from the kept runs.
import { figureRows, ratiosOf } from './figure-rows.mjs'
import { lanes } from './lanes.mjs'
import { median } from './parts.mjs'
import { between, number } from './number.mjs'
import { cellTable } from './report.mjs'

const major = ({ node }) => `Node ${node.slice(1).split('.')[0]}`
const peersOf = (runs) => [...new Set(runs.flatMap((run) => (run.peers ?? []).map(({ name }) => name)))]
/** columns that hold words, no numbers */
const words = new Set(['figure', 'reached'])
const table = (head, rows) => [
  `| ${head.join(' | ')} |`,
  `|${head.map((name, i) => (i === 0 || words.has(name) ? '---' : '--:')).join('|')}|`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
]
const same = (one, other) => one.title === other.title && one.figure === other.figure

/** Every figure of any run, in the order in which the first has them. */
function figureTable(runs) {
  const all = runs.map(figureRows)
  const rows = all.flat().filter((row, i, every) => every.findIndex((other) => same(row, other)) === i)
  const head = ['what', 'figure', 'must', 'goal', ...runs.flatMap((run) => [major(run), 'range', 'reached'])]
  return table(
    head,
    rows.map((row) => [
      row.title,
      row.figure,
      row.must ?? '–',
      row.goal ?? '–',
      ...all.flatMap((of) => {
        const found = of.find((other) => same(row, other))
        return found ? [number(found.value), between(found.range), found.reached] : ['–', '', 'not measured']
      }),
    ]),
  )
}

/** What the README shows: what most requests of an agent are like. */
const short = new Set([
  'json-2k-c1',
  'json-2k-c64',
  'json-200k-c1',
  'json-200k-c64',
  'agent-turn-c4',
  'convert-200k-c4',
  'convert-turn-c4',
])
const all = new Set(lanes.map(({ id }) => id))

function ratioRows(run, peers, of) {
  const cellOf = (lane, target) => {
    const ratios = ratiosOf(run, lane, target, 'cpuPerRequest').filter(Number.isFinite)
    return ratios.length > 0 ? number(median(ratios)) : '–'
  }
  return lanes
    .filter(({ id }) => of.has(id) && run.cells.some((c) => c.lane === id))
    .map((lane) => [lane.title, ...['onward', 'onward-plain', ...peers].map((target) => cellOf(lane, target))])
}

const ratioTable = (run, peers, of = all) =>
  table(['CPU per request ÷ bare proxy', 'Onward as it comes', 'nothing added', ...peers], ratioRows(run, peers, of))

/** What was measured when: a line for each date and commit. */
function stampLines(run) {
  const ids = new Map()
  for (const [id, { date, commit, rounds }] of Object.entries(run.stamps ?? {})) {
    const key = `${date}, commit ${commit}, ${rounds === 1 ? '1 round' : `${rounds} rounds`}`
    ids.set(key, [...(ids.get(key) ?? []), id])
  }
  return [...ids].toSorted().map(([when, of]) => `| ${run.node} | ${when} | ${of.join(', ')} |`)
}

const machine = (run) =>
  `| ${run.node} | ${run.cores} cores${run.cpu ? `, ${run.cpu}` : ''}${run.pinned ? ', proxies pinned to one' : ''} |`

export function resultsPage(runs) {
  const peers = peersOf(runs)
  const lines = [
    '# Performance: results',
    '',
    'The bench writes this page from the runs that it keeps in `e2e/bench/results`: `npm run bench -- --write-docs`.',
    'What is measured, and how: [performance.md](performance.md).',
    '',
    '| Node | machine |',
    '|---|---|',
    ...runs.map(machine),
    '',
    '| Node | measured | what |',
    '|---|---|---|',
    ...runs.flatMap(stampLines),
    '',
    '## Every figure',
    '',
    'Ratios are to the bare proxy of the same round. A range is that of the rounds.',
    '',
    ...figureTable(runs),
    '',
    '## Beside other gateways',
    '',
    ...runs.flatMap((run) => [`${major(run)}:`, '', ...ratioTable(run, peers), '']),
    ...runs.slice(0, 1).flatMap((run) => (run.peers ?? []).map(({ name, version }) => `- ${name}: ${version}`)),
    ...(peers.length > 0 ? [''] : []),
    '## What each target took',
    '',
    ...runs.flatMap((run) => [`${major(run)}:`, '', ...cellTable(run), '']),
    '## To measure it again',
    '',
    'On a machine that does nothing else, with both versions of Node:',
    '',
    '    npm ci && npm run build',
    '    npm run bench -- --peers',
    '    npm run bench -- --peers --node <path of a Node 24>',
    '',
    'Each run keeps its results and writes this page, the plots and the table of the README.',
  ]
  return `${lines.join('\n')}\n`
}

const begin = '<!-- written by npm run bench -- --write-docs -->'
const end = '<!-- end -->'

/** The README with its table between the marks written anew, from the first of the runs. */
export function readmeWith(readme, runs) {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)]
  if (from < 0 || to < from) throw new Error('the README has no marks for the table of the bench')
  const [run] = runs
  const stamps = Object.entries(run.stamps ?? {}).flatMap(([id, stamp]) => (short.has(id) ? [stamp] : []))
  const when = [...new Set(stamps.map(({ date }) => date))].toSorted().join(' and ')
  const fewest = Math.min(...stamps.map(({ rounds }) => rounds))
  const seen = fewest === 1 ? 'one round' : `medians of ${fewest} rounds`
  const lines = [
    begin,
    '',
    ...ratioTable(run, peersOf([run]), short),
    '',
    `${major(run)}, ${run.cores} cores, ${seen}, measured ${when}; less is better.`,
    '',
  ]
  return `${readme.slice(0, from)}${lines.join('\n')}\n${readme.slice(to)}`
}
