import domino from '@mixmark-io/domino'
import { elementsOf } from './nodes.ts'

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
