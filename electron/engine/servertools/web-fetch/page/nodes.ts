/**
 * Walks a document without recursion and without its queries: pages nest deeper than calls may, and queries sort.
 */
export const TEXT = 3
export const ELEMENT = 1

export const isElement = (node: Node): node is Element => node.nodeType === ELEMENT

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
export function isSeen(node: Node): boolean {
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
export const isMenu = (node: Node): boolean =>
  isElement(node) &&
  (menus.has(node.nodeName) ||
    /^(?:navigation|contentinfo|complementary|search|dialog|alertdialog)$/.test(node.getAttribute('role') ?? ''))

/** The next node in the order of the page below `root`; `into`: what is inside of `node` too. */
export function after(node: Node, root: Node, into: boolean): Node | null {
  if (into && node.firstChild) return node.firstChild
  for (let at: Node | null = node; at && at !== root; at = at.parentNode) if (at.nextSibling) return at.nextSibling
  return null
}

/** Elements of a name (in capitals) below `root`, in order. */
export function elementsOf(root: Node, ...wanted: readonly string[]): Element[] {
  const found: Element[] = []
  for (let node = after(root, root, true); node; node = after(node, root, true))
    if (isElement(node) && wanted.includes(node.nodeName)) found.push(node)
  return found
}

/** Characters of text as it will be read: runs of blanks are one. */
export const visible = (text: string): number => (text.trim() === '' ? 0 : text.replace(/\s+/g, ' ').length)

export interface Size {
  chars: number
  elements: number
  depth: number
}

export function sizeOf(root: Node, skip: (node: Node) => boolean): Size {
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
