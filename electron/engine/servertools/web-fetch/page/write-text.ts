import TurndownService from 'turndown'
import { markTables, tableRules } from './tables.ts'

/** A part of a page as Markdown, or as text with nothing of Markdown but lists and tables. */
export function writeText(root: Element, format: 'text' | 'markdown'): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  })
  // A model reads what the page says; nothing renders this.
  service.escape = (text) => text
  tableRules(service)
  service.addRule('plain links', {
    filter: (node) => node.nodeName === 'A' && (format === 'text' || !node.getAttribute('href')),
    replacement: (content) => content,
  })
  service.addRule('pictures', { filter: 'img', replacement: (_content, node) => picture(node as Element, format) })
  if (format === 'text') {
    service.addRule('plain', { filter: ['em', 'strong', 'i', 'b', 'code'], replacement: (content) => content })
    service.addRule('plain headings', {
      filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
      replacement: (content) => `\n\n${content}\n\n`,
    })
    service.addRule('plain code', {
      filter: 'pre',
      replacement: (_content, node) => `\n\n${node.textContent ?? ''}\n\n`,
    })
  }
  markTables(root)
  return service
    .turndown(root as HTMLElement)
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function picture(node: Element, format: 'text' | 'markdown'): string {
  const alt = (node.getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim()
  const src = node.getAttribute('src')
  // An image without an alternative text says nothing to a reader who can't see it.
  return alt === '' ? '' : format === 'text' || !src ? alt : `![${alt}](${src})`
}
