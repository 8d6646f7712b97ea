/** How many columns text takes in a terminal. East Asian wide characters and emoji take two, marks none. */
let segmenter: Intl.Segmenter | null = null

/** Made for the first text that needs it: that takes 10 ms, where most commands take 100. */
function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** Ranges of East Asian Width W and F (Unicode TR11), the large ones; ambiguous characters count as narrow. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
]
/** Latin, punctuation, arrows, shapes and signs: a column each, and none of them joins with a neighbour. */
const plain = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u27bf]*$/
const zero = /^[\p{Mark}\p{Cf}]$/u

function graphemeWidth(grapheme: string): number {
  const point = grapheme.codePointAt(0) ?? 0
  if (zero.test(grapheme)) return 0
  // a variation selector asks for the emoji form, which is wide
  if (grapheme.includes('\ufe0f')) return 2
  return wide.some(([from, to]) => point >= from && point <= to) ? 2 : 1
}

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of segmentsOf(text)) width += graphemeWidth(segment)
  return width
}

/** Cuts to `columns`, the last of them an ellipsis where something was lost. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  if (columns < 1) return ''
  if (plain.test(text)) return `${text.slice(0, columns - 1)}…`
  let kept = ''
  let width = 0
  for (const { segment } of segmentsOf(text)) {
    const more = graphemeWidth(segment)
    if (width + more > columns - 1) break
    kept += segment
    width += more
  }
  return `${kept}…`
}

export const pad = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - widthOf(text)))
