import type TurndownService from 'turndown'
import { elementsOf } from './nodes.ts'

/** The role of tables that are for layout only: their content is written as if there were no table. */
const LAYOUT = 'presentation'

const cellsOf = (row: Element): number => elementsOf(row, 'TD', 'TH').length
function inLayout(node: Element): boolean {
  const table = node.closest('table')
  return table === null || /^(?:presentation|none)$/.test(table.getAttribute('role') ?? '')
}

/** set on the first row of a table */
const HEAD = 'data-head'

/** Marks the tables that can't be written as one: those with tables inside, and of one column. And first rows. */
export function markTables(root: Element): void {
  for (const table of elementsOf(root, 'TABLE')) {
    elementsOf(table, 'TR')[0]?.setAttribute(HEAD, '')
    if (elementsOf(table, 'TABLE').length > 0 || elementsOf(table, 'TR').every((row) => cellsOf(row) < 2))
      table.setAttribute('role', LAYOUT)
  }
}

/** Tables as GitHub writes them. The first row is the head, whatever its cells are: without a head it is no table. */
export function tableRules(service: TurndownService): void {
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content, node) =>
      inLayout(node)
        ? `\n\n${content}\n\n`
        : ` ${content
            .trim()
            .replace(/\s*\n\s*/g, ' ')
            .replaceAll('|', '\\|')} |`,
  })
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => {
      if (inLayout(node)) return content
      return `|${content}\n${node.hasAttribute(HEAD) ? `|${' --- |'.repeat(cellsOf(node))}\n` : ''}`
    },
  })
  service.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content })
  service.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content}\n\n` })
}
