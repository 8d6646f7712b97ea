import type { AnswerEvent } from '../answer.ts'
import type { Seal } from '../request.ts'
import { digestOfCalls, textDigest, type CallFacts, type KeptAnswer, type KeptPiece } from './match-answers.ts'

/** Longer thinking is not worth a place on the disk. Characters. */
const mostChars = 2 * 1024 * 1024
/** The most characters that wait to be counted. */
const mostWaiting = 4 * 1024

interface Growing {
  kind: 'thinking' | 'text' | 'call'
  /** thinking, or a call's arguments */
  texts: string[]
  seal: Seal | null
  id: string
  name: string
  length: number
  solid: number
}

/**
 * Watches an answer on its way to the client. `keep` is called once, when it ended properly and holds anything sealed.
 */
export function collectAnswer(
  facts: Pick<KeptAnswer, 'of' | 'by' | 'ordinal' | 'at'>,
  keep: (answer: KeptAnswer) => void,
): (event: AnswerEvent) => void {
  const pieces = new Map<number, Growing>()
  const visible = textDigest()
  let thought = 0
  /** words that are not counted yet, and the piece they belong to: a digest of every few words would cost most */
  let words = ''
  let spoken: Growing | null = null

  function count(): void {
    if (spoken) spoken.solid += visible.add(words)
    words = ''
    spoken = null
  }

  function delta(piece: Growing, text: string): void {
    piece.length += text.length
    if (piece.kind === 'text') {
      if (spoken !== piece || words.length > mostWaiting) count()
      spoken = piece
      words += text
      return
    }
    if (piece.kind === 'thinking') thought += text.length
    if (thought <= mostChars) piece.texts.push(text)
  }

  function end(): void {
    count()
    const all = [...pieces.values()]
    if (thought > mostChars || !all.some(({ seal }) => seal)) return
    const calls = all.filter(({ kind }) => kind === 'call')
    keep({
      ...facts,
      text: visible.end(),
      calls: digestOfCalls(calls.map((call): CallFacts => ({ name: call.name, arguments: call.texts.join('') }))),
      pieces: all.flatMap(pieceOf),
    })
  }

  return (event) => {
    switch (event.type) {
      case 'begin': {
        const { part } = event
        if (part.kind === 'search') return
        const kind = part.kind === 'thinking' ? 'thinking' : part.kind === 'tool-call' ? 'call' : 'text'
        const [id, name] = part.kind === 'tool-call' ? [part.id, part.name] : ['', '']
        pieces.set(event.block, { kind, texts: [], seal: null, id, name, length: 0, solid: 0 })
        return
      }
      case 'delta': {
        const piece = pieces.get(event.block)
        if (piece) delta(piece, event.text)
        return
      }
      case 'seal': {
        const piece = pieces.get(event.block)
        if (piece) piece.seal = event.seal
        return
      }
      case 'finish':
        return end()
      case 'start':
      case 'citation':
      case 'end':
      case 'error':
        return
    }
  }
}

/** Thinking without a seal is of no use to its provider. */
function pieceOf({ kind, texts, seal, id, length, solid }: Growing): KeptPiece[] {
  switch (kind) {
    case 'thinking':
      return seal ? [{ type: 'thinking', text: texts.join(''), seal }] : []
    case 'call':
      return [{ type: 'call', id, seal }]
    case 'text':
      return length > 0 ? [{ type: 'text', length, solid }] : []
  }
}
