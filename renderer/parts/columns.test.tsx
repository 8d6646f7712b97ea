import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Cells, type Column, columnsCsv, Heads, shownOf, tracksOf } from './columns.tsx'

interface Alarm {
  task: string
  tries: number
}
interface Say {
  wide: boolean
}
const declared: readonly Column<Alarm, Say>[] = [
  { head: () => 'Task', width: () => '1fr', cell: ({ task }) => task, csv: ['task', ({ task }) => task] },
  { csv: ['kind', () => 'alarm'] },
]
const alarm = { task: 'look', tries: 2 }
const more: readonly Column<Alarm, Say>[] = [
  ...declared,
  {
    head: () => 'Tries',
    width: ({ wide }) => (wide ? '60px' : null),
    right: true,
    tone: 'num',
    title: ({ tries }) => `tried ${tries} times`,
    cell: ({ tries }) => tries,
    csv: ['tries', ({ tries }) => tries],
  },
]

it('has a column that is declared in the head, the cells, the widths and the file', () => {
  const say = { wide: true }
  const columns = shownOf(more, say)
  expect(tracksOf(columns, say)).toBe('1fr 60px')
  expect(renderToStaticMarkup(<Heads columns={columns} say={say} />)).toBe(
    '<th scope="col" style="width:1fr">Task</th><th scope="col" class="r" style="width:60px">Tries</th>',
  )
  expect(renderToStaticMarkup(<Cells columns={columns} row={alarm} say={say} />)).toBe(
    '<th scope="row">look</th><td class="r num" title="tried 2 times">2</td>',
  )
  expect(renderToStaticMarkup(<Heads grid columns={columns} say={say} />)).toBe(
    '<span role="columnheader">Task</span><span role="columnheader" class="r">Tries</span>',
  )
  expect(renderToStaticMarkup(<Cells grid columns={columns} row={alarm} say={say} />)).toBe(
    '<span role="gridcell">look</span><span role="gridcell" class="r num" title="tried 2 times">2</span>',
  )
  expect(columnsCsv(more, [alarm])).toBe('task,kind,tries\r\nlook,alarm,2\r\n')
})

it('leaves out what the page has no room for, and keeps it in the file', () => {
  const columns = shownOf(more, { wide: false })
  expect(tracksOf(columns, { wide: false })).toBe('1fr')
  expect(columnsCsv(more, [])).toBe('task,kind,tries\r\n')
})
