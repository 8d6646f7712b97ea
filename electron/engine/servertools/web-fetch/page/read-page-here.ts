import domino from '@mixmark-io/domino'
import { Readability } from '@mozilla/readability'
import TurndownService from 'turndown'
import type { PageAsk, PageText } from './types.ts'

/** Blanks and elements take room and are not shown. */
const SPARE = 2

/** Reads a page in this thread, however long that takes. */
export function readPageHere({ html, url, format, maxChars }: PageAsk): PageText {
  const { title, base, root, skip } = mainPart(html, url)
  const { root: part, left } = copy(root, { base, skip, room: maxChars * SPARE })
  return { title, text: writeText(part, format), left }
}

export interface ParsedPage {
  document: Document
  /** of a page of frames, all there is */
  body: Element
  title: string | null
  base: string
}

/** An HTML page as a document, as the standard's parser sees it. Nothing in it runs. */
export function parsePage(html: string, url: string): ParsedPage {
  const document = domino.createDocument(html, url)
  const base = baseOf(document, url)
  const title = (document.title || '').replace(/\s+/g, ' ').trim().slice(0, 300)
  return { document, body: framed(document) ?? document.documentElement, title: title === '' ? null : title, base }
}

/** The types of the DOM promise a body; there is none beside frames. */
const framed = ({ body }: Document): Element | null => body

function baseOf(document: Document, url: string): string {
  const href = elementsOf(document, 'BASE')[0]?.getAttribute('href') ?? ''
  return URL.canParse(href, url) ? new URL(href, url).href : url
}

/** Adds the properties of a document that readability needs and domino lacks. */
export function readyForReadability({ document, base }: ParsedPage): Document {
  Object.defineProperty(document, 'baseURI', { value: base, configurable: true })
  Object.defineProperty(document, 'documentURI', { value: base, configurable: true })
  const list: object = Object.getPrototypeOf(document.getElementsByTagName('*'))
  // domino's live lists are older than iteration.
  if (!(Symbol.iterator in list))
    Object.defineProperty(list, Symbol.iterator, { value: Array.prototype[Symbol.iterator] })
  return document
}

export interface MainPart {
  title: string | null
  base: string
  root: Element
  skip(node: Node): boolean
}

/**
 * The share of a page's text outside its menus that a part must have to stand for all of it: less would leave much out.
 */
const ENOUGH = 0.6
/** below this much, menu and page can't be told apart */
const FEW_CHARS = 200
/** Readability reads text again and again as it weighs elements: three seconds for some pages beyond these. */
const MOST_ELEMENTS = 3000
const MOST_DEPTH = 60

const unseen = (node: Node): boolean => !isSeen(node)
const around = (node: Node): boolean => !isSeen(node) || isMenu(node)

/**
 * The part of a page that is worth reading: what its author marked as such, else its article as readability finds it,
 * else everything but menus (start pages, lists, references).
 */
export function mainPart(html: string, url: string): MainPart {
  const page = parsePage(html, url)
  const { body, title, base } = page
  const rest = sizeOf(body, around)
  if (rest.chars < FEW_CHARS) return { title, base, root: body, skip: unseen }
  const marked = markedAsMain(body)
  if (marked && sizeOf(marked, around).chars >= ENOUGH * rest.chars) return { title, base, root: marked, skip: around }
  const small = rest.elements <= MOST_ELEMENTS && rest.depth <= MOST_DEPTH
  const article = marked === null && small ? readabilityFinds(parsePage(html, url)) : null
  if (article && sizeOf(article, unseen).chars >= ENOUGH * rest.chars)
    return { title, base, root: article, skip: unseen }
  return { title, base, root: body, skip: around }
}

/** Returns `main`, else the only `article`. */
function markedAsMain(body: Element): Element | null {
  const articles: Element[] = []
  for (let node: Node | null = body, into = true; node; node = after(node, body, into)) {
    into = isSeen(node)
    if (!into || !isElement(node)) continue
    if (node.nodeName === 'MAIN' || node.getAttribute('role') === 'main') return node
    if (node.nodeName === 'ARTICLE') articles.push(node)
  }
  return articles.length === 1 ? (articles[0] ?? null) : null
}

/** Readability takes the document apart: it is of no use afterwards. */
const readabilityFinds = (page: ParsedPage): Element | null =>
  new Readability<Element>(readyForReadability(page), { serializer: (node) => node as Element }).parse()?.content ??
  null

export interface CopyLimits {
  base: string
  /** characters of text */
  room: number
  skip(node: Node): boolean
}

/** The room that an element takes: a page can be huge without a word in it. */
const PER_ELEMENT = 4
/** The libraries that turn a page into text are recursive. */
const DEEPEST = 200

/**
 * Copies as much of a page as there is room for, with absolute links; and returns how many characters were left out.
 */
export function copy(root: Element, { base, room, skip }: CopyLimits): { root: Element; left: number } {
  const top = root.cloneNode(false) as Element
  const copies = new Map<Node, { at: Element; depth: number }>([[root, { at: top, depth: 0 }]])
  let left = 0
  for (let node = after(root, root, true), into = true; node; node = after(node, root, into)) {
    const parent = node.parentNode && copies.get(node.parentNode)
    into = !skip(node)
    if (!into) continue
    const fits = parent && room > 0 && parent.depth < DEEPEST
    if (node.nodeType === TEXT) {
      const text = node.nodeValue ?? ''
      if (!fits) {
        left += visible(text)
        continue
      }
      left += visible(text.slice(room))
      parent.at.appendChild(top.ownerDocument.createTextNode(text.slice(0, room)))
      room -= text.length
    } else if (isElement(node) && fits) {
      const at = node.cloneNode(false) as Element
      for (const name of ['href', 'src']) absolute(at, name, base)
      parent.at.appendChild(at)
      copies.set(node, { at, depth: parent.depth + 1 })
      room -= PER_ELEMENT
    }
  }
  return { root: top, left }
}

/** Addresses that hold their content, or run something, are dropped; those that can't be read stay as they are. */
function absolute(element: Element, name: string, base: string): void {
  const value = element.getAttribute(name)
  if (value === null) return
  if (/^\s*(?:javascript|data|vbscript|blob):/i.test(value)) element.removeAttribute(name)
  else if (URL.canParse(value, base)) element.setAttribute(name, new URL(value, base).href)
}

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

/**
 * Walks a document without recursion and without its queries: pages nest deeper than calls may, and queries sort.
 */
const TEXT = 3
const ELEMENT = 1

const isElement = (node: Node): node is Element => node.nodeType === ELEMENT

const names = new Set([
  'SCRIPT',
  'STYLE',
  'TEMPLATE',
  'NOSCRIPT',
  'IFRAME',
  'OBJECT',
  'EMBED',
  'CANVAS',
  'SVG',
  'LINK',
  'META',
  'HEAD',
  'SELECT',
  'TEXTAREA',
])

/** True if a person would see the node. Hidden text is also where prompt injections hide. */
function isSeen(node: Node): boolean {
  if (!isElement(node)) return node.nodeType === TEXT
  if (names.has(node.nodeName.toUpperCase()) || node.hasAttribute('hidden')) return false
  if (/display\s*:\s*none|visibility\s*:\s*hidden/i.test(node.getAttribute('style') ?? '')) return false
  // the “#” and “¶” after headings of documentation
  return !(
    node.nodeName === 'A' &&
    /(?:^|\s)(?:headerlink|anchor|hash-link|header-anchor)(?:\s|$)/.test(node.getAttribute('class') ?? '')
  )
}

const menus = new Set(['NAV', 'FOOTER', 'ASIDE', 'DIALOG'])
/** True for parts that are not the page itself but around it. */
const isMenu = (node: Node): boolean =>
  isElement(node) &&
  (menus.has(node.nodeName) ||
    /^(?:navigation|contentinfo|complementary|search|dialog|alertdialog)$/.test(node.getAttribute('role') ?? ''))

/** The next node in the order of the page below `root`; `into`: what is inside of `node` too. */
function after(node: Node, root: Node, into: boolean): Node | null {
  if (into && node.firstChild) return node.firstChild
  for (let at: Node | null = node; at && at !== root; at = at.parentNode) if (at.nextSibling) return at.nextSibling
  return null
}

/** Elements of a name (in capitals) below `root`, in order. */
function elementsOf(root: Node, ...wanted: readonly string[]): Element[] {
  const found: Element[] = []
  for (let node = after(root, root, true); node; node = after(node, root, true))
    if (isElement(node) && wanted.includes(node.nodeName)) found.push(node)
  return found
}

/** Characters of text as it will be read: runs of blanks are one. */
const visible = (text: string): number => (text.trim() === '' ? 0 : text.replace(/\s+/g, ' ').length)

interface Size {
  chars: number
  elements: number
  depth: number
}

function sizeOf(root: Node, skip: (node: Node) => boolean): Size {
  const size = { chars: 0, elements: 0, depth: 0 }
  const depths = new Map<Node, number>([[root, 0]])
  for (let node: Node | null = root, into = true; node; node = after(node, root, into)) {
    into = node === root || !skip(node)
    if (!into) continue
    if (node.nodeType === TEXT) size.chars += visible(node.nodeValue ?? '')
    if (!isElement(node)) continue
    const depth = node === root ? 0 : (depths.get(node.parentNode ?? root) ?? 0) + 1
    depths.set(node, depth)
    size.elements++
    size.depth = Math.max(size.depth, depth)
  }
  return size
}
