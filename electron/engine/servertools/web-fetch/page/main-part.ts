import { Readability } from '@mozilla/readability'
import { after, isElement, isMenu, isSeen, sizeOf } from './nodes.ts'
import { parsePage, readyForReadability, type ParsedPage } from './parse-page.ts'

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
