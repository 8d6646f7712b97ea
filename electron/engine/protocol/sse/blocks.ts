import { maxEventBytes, sseSplitter } from './split.ts'

/**
 * One event with its bytes as they came, the blank line behind it included. Comments and stray blank lines are blocks
 * without data.
 */
export interface SseBlock {
  raw: Buffer
  /** value of its `event:` line, empty when it had none */
  name: string
  data: Buffer | null
}

export interface SseBlocks {
  push(chunk: Uint8Array): void
  /** there are bytes of an event that has not ended */
  readonly begun: boolean
  /** takes them */
  rest(): Buffer
}

const LF = 10,
  CR = 13

/**
 * Cuts a stream into its events without changing a byte: the blocks, joined, are the stream. Works under any chunk
 * boundary; what is larger than the limit goes by in pieces without data.
 */
export function sseBlocks(onBlock: (block: SseBlock) => void, limit = maxEventBytes): SseBlocks {
  let pieces: Buffer[] = []
  let bytes = 0
  let lineEmpty = true
  let afterCr = false

  function take(): Buffer {
    const raw = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
    pieces = []
    bytes = 0
    return raw
  }
  function keep(piece: Buffer): void {
    if (piece.length === 0) return
    pieces.push(piece)
    bytes += piece.length
  }

  return {
    push(input) {
      const chunk = Buffer.isBuffer(input) ? input : Buffer.from(input.buffer, input.byteOffset, input.byteLength)
      let from = 0
      for (let i = 0; i < chunk.length; i++) {
        const sign = chunk[i]
        const ofCrLf = sign === LF && afterCr
        afterCr = sign === CR
        if (ofCrLf) continue
        if (sign !== LF && sign !== CR) {
          lineEmpty = false
          continue
        }
        if (!lineEmpty) {
          lineEmpty = true
          continue
        }
        if (sign === CR && chunk[i + 1] === LF) {
          i++
          afterCr = false
        }
        keep(chunk.subarray(from, i + 1))
        from = i + 1
        onBlock(blockOf(take()))
      }
      keep(chunk.subarray(from))
      if (bytes > limit) onBlock({ raw: take(), name: '', data: null })
    },
    get begun() {
      return bytes > 0
    },
    rest: take,
  }
}

function blockOf(raw: Buffer): SseBlock {
  const block: SseBlock = { raw, name: '', data: null }
  const splitter = sseSplitter((event) => {
    block.name = event.name()
    block.data = event.data
  }, Number.MAX_SAFE_INTEGER)
  splitter.push(raw)
  return block
}
