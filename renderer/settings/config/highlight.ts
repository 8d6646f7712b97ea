export type PieceKind = 'key' | 'text' | 'value' | 'comment' | 'plain'
export interface Piece {
  kind: PieceKind
  text: string
}

/** Beyond this a text is shown without colours: every letter typed draws it anew. */
const MOST_COLOURED = 400_000

/** The text as lines of coloured pieces; their texts together are the text. */
export function coloured(text: string): Piece[][] {
  const lines: Piece[][] = [[]]
  const add = (kind: PieceKind, piece: string) => {
    for (const [i, part] of piece.split('\n').entries()) {
      if (i > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ kind, text: part })
    }
  }
  if (text.length > MOST_COLOURED) add('plain', text)
  else for (const piece of piecesOf(text)) add(piece.kind, piece.text)
  return lines
}

const token = /(\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|("(?:[^"\\\n]|\\.)*"?)|([\w.+-]+)|\s+|[^]/g

function piecesOf(text: string): Piece[] {
  return Array.from(text.matchAll(token), ({ 0: whole, 1: comment, 2: quoted, 3: bare, index }): Piece => {
    if (comment !== undefined) return { kind: 'comment', text: whole }
    if (bare !== undefined) return { kind: 'value', text: whole }
    if (quoted === undefined) return { kind: 'plain', text: whole }
    // only a colon behind it tells a name from a text
    return { kind: isNamed(text, index + whole.length) ? 'key' : 'text', text: whole }
  })
}

const colon = /\s*:/y

function isNamed(text: string, at: number): boolean {
  colon.lastIndex = at
  return colon.test(text)
}
