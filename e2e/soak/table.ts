import type { SeatCount } from './count.ts'

const columns = ['agent', 'terminal', 'asked', 'received', 'lost', 'doubled', 'wrong place', 'merged'] as const

/** One row for each agent and terminal, and their sum. */
export function tableOf(counts: readonly SeatCount[]): string {
  const sum = (of: (count: SeatCount) => number) => counts.reduce((all, count) => all + of(count), 0)
  const rows = [
    [...columns, 'typed after (ms, median, most)', 'Enter twice', 'seconds', 'thrown in'],
    ...counts.map((c) => [
      c.agent,
      c.terminal,
      ...[c.asked, c.received, c.lost, c.doubled, c.wrongPlace, c.merged].map(String),
      `${middle(c.stopToTyped)}, ${Math.max(0, ...c.stopToTyped)}`,
      String(c.enterTwice),
      String(c.seconds),
      c.thrown,
    ]),
    [
      'all',
      '',
      ...[
        sum((c) => c.asked),
        sum((c) => c.received),
        sum((c) => c.lost),
        sum((c) => c.doubled),
        sum((c) => c.wrongPlace),
        sum((c) => c.merged),
      ].map(String),
      String(middle(counts.flatMap((c) => c.stopToTyped))),
      String(sum((c) => c.enterTwice)),
      String(sum((c) => c.seconds)),
      '',
    ],
  ]
  const widths = (rows[0] ?? []).map((_, x) => Math.max(...rows.map((row) => row[x]?.length ?? 0)))
  const problems = counts.filter((c) => c.problem !== null).map((c) => `${c.agent} ${c.terminal}: ${c.problem}`)
  return [...rows.map((row) => row.map((cell, x) => cell.padEnd(widths[x] ?? 0)).join('  ')), ...problems].join('\n')
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
