import { after, isElement, TEXT, visible } from './nodes.ts'

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
