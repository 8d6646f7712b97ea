import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { spoken } from '../i18n/spoken-en.ts'
import { record } from '../testing/views.ts'
import { wordsFrom } from '../i18n/index.ts'
import { Cells, columnsCsv, Heads, shownOf, tracksOf } from '../parts/columns.tsx'
import { csvOf, turnColumns } from './turn-columns.tsx'

const turn = record({
  requestId: 'r1',
  at: Date.UTC(2026, 10, 21, 13),
  sessionId: 's',
  turn: 41,
  by: 'onward',
  route: { provider: 'zai', model: 'glm-5', keyAlias: 'main', category: 'default', why: [], skipped: [] },
  tried: [{ at: 0, provider: 'qwen', model: 'q', keyAlias: null, status: 429, code: 'rate-limited', durationMs: 1 }],
  usage: { input: 1, cachedInput: 2, output: 3, reasoning: 4 },
  costUsd: 0.5,
  ttfbMs: 10,
  durationMs: 20,
  bytesIn: 30,
  bytesOut: 40,
  dropped: ['cache_control', 'top_k'],
  captured: false,
  servertools: [
    { tool: 'clock', round: 1, ms: 1, bytes: 80, failure: null },
    { tool: 'web_fetch', round: 1, ms: 15_000, bytes: 0, failure: 'The page did not answer within 15 s.' },
  ],
})

describe('turns as CSV', () => {
  it('have a head and one line each, ending as the standard says', () => {
    const [head, line, end] = csvOf([turn], () => 'billing').split('\r\n')
    expect(head?.split(',')).toHaveLength(line?.split(',').length ?? 0)
    expect(line).toBe(
      '2026-11-21T13:00:00.000Z,s,billing,41,onward,claude,turn,messages,sonnet,default,zai,glm-5,' +
        'main,1,200,stop,1,2,3,4,0.5,10,20,30,40,clock web_fetch:failed,cache_control top_k,false,r1,,',
    )
    expect(end).toBe('')
  })

  it.each(['=HYPERLINK("x")', '+1', '-1', '@x', '\tx', '\rx'])('run no formula: %j', (name) => {
    const line = csvOf([record({ requestId: 'r' })], () => name)
    expect(line).toContain(`,${/["\r]/.test(name) ? `"'${name.replaceAll('"', '""')}"` : `'${name}`},`)
  })

  it('quote what must be quoted, and leave out what is not known', () => {
    const line = csvOf([record({ requestId: 'r', error: { code: 'x', message: 'a "b",\nc' } })], () => null)
      .split('\r\n')
      .slice(1)
      .join('\n')
    expect(line).toContain('"a ""b"",\nc"')
    expect(line).toContain(',stop,,,,,,,0,0,0,,,,r,')
  })
})

describe('the machine of a turn', () => {
  it('is a column of page and file where there are several, and of neither where there is one', () => {
    const lines = (several: boolean) => csvOf([{ ...turn, machine: 'box' }], () => 'billing', several).split('\r\n')
    expect(lines(true).map((line) => line.split(',')[3])).toEqual(['machine', 'box', undefined])
    expect(lines(false).join()).not.toContain('box')
    const say = { ...wordsFrom(spoken), wide: true, older: false, time: () => '13:00', nameOf: () => 'billing' }
    const heads = (several: boolean) =>
      renderToStaticMarkup(<Heads grid columns={shownOf(turnColumns, { ...say, several })} say={{ ...say, several }} />)
    expect(heads(true)).toContain('>Machine<')
    expect(heads(false)).not.toContain('>Machine<')
  })
})

describe('a column that is added to the declaration', () => {
  const say = { ...wordsFrom(spoken), wide: true, older: false, time: () => '13:00', nameOf: () => 'billing' }
  const more: typeof turnColumns = [
    ...turnColumns,
    {
      csv: ['protocol', () => 'messages'],
      head: () => 'Protocol',
      width: () => '99px',
      cell: (row) => (row.kind === 'turn' ? row.turn.entry : ''),
    },
  ]
  const columns = shownOf(more, say)

  it('stands over the table, in its rows and in its file', () => {
    expect(renderToStaticMarkup(<Heads grid columns={columns} say={say} />)).toMatch(/>End<.*>Protocol<\/span>$/)
    const row = { kind: 'turn', key: 'r1', turn } as const
    expect(renderToStaticMarkup(<Cells grid columns={columns} row={row} say={say} />)).toMatch(/>messages<\/span>$/)
    expect(tracksOf(columns, say)).toMatch(/ 99px$/)
    const [head, line] = columnsCsv(more, [{ turn, name: null }]).split('\r\n')
    expect([head, line]).toEqual([expect.stringMatching(/,protocol$/), expect.stringMatching(/,messages$/)])
  })

  it('leaves the one of cached tokens out where there is no room', () => {
    const narrow = { ...say, wide: false }
    expect(shownOf(more, narrow)).toHaveLength(columns.length - 1)
  })
})
