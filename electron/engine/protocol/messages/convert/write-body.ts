import type { AnswerEvent, BlockKind } from '../../canonical/answer.ts'
import type { BodyWriter, WriteContext } from '../../canonical/codec.ts'
import type { Seal } from '../../canonical/request.ts'
import type { JsonObject } from '../../values.ts'
import { writeCitation } from './citations.ts'
import { carrierOf, redactedData, signatureOf } from './client-seal.ts'
import { errorMember } from '../errors.ts'
import { messageEnd, messageStart } from './message.ts'
import { searchBlocks } from './web-search.ts'
import { isCutOff } from '../../canonical/json-end.ts'
import { argumentsObject } from '../../canonical/tools/arguments-object.ts'

interface Block {
  part: BlockKind
  texts: string[]
  citations: JsonObject[]
  seal: Seal | null
}

/** Collects a whole message, its blocks in the order they began. */
export function writeMessagesBody(context: WriteContext): BodyWriter {
  const blocks = new Map<number, Block>()
  let start: Extract<AnswerEvent, { type: 'start' }> = { type: 'start', model: null, usage: null }
  let finish: Extract<AnswerEvent, { type: 'finish' }> | null = null
  let error: Extract<AnswerEvent, { type: 'error' }> | null = null

  return {
    add(event) {
      switch (event.type) {
        case 'start':
          start = event
          return
        case 'begin':
          blocks.set(event.block, { part: event.part, texts: [], citations: [], seal: null })
          return
        case 'delta':
          blocks.get(event.block)?.texts.push(event.text)
          return
        case 'seal': {
          const block = blocks.get(event.block)
          if (block) block.seal = event.seal
          return
        }
        case 'citation': {
          const citation = writeCitation(event.citation, context.dropped)
          if (citation) blocks.get(event.block)?.citations.push(citation)
          return
        }
        case 'end':
          return
        case 'finish':
          finish = event
          return
        case 'error':
          error = event
          return
      }
    },
    body() {
      if (error || !finish)
        return {
          type: 'error',
          error: errorMember(
            error ?? { code: 'upstream-broke-off', message: 'The provider ended its answer in the middle.' },
          ),
        }
      const parts = [...blocks.values()]
      if (parts.some(({ citations, texts }) => citations.length > 0 && texts.length === 0)) context.dropped('citations')
      const shown = {
        searches: parts.filter(({ part }) => part.kind === 'search').length,
        calls: parts.some(({ part }) => part.kind === 'tool-call'),
        refusal: parts.flatMap(({ part, texts }) => (part.kind === 'refusal' ? texts : [])).join(''),
      }
      const ending = messageEnd({ ...finish, usage: finish.usage ?? start.usage }, shown, context)
      const [whole, cut] = [parts.filter((part) => !isHalf(part)), parts.filter(isHalf)]
      if (cut.length > 0) context.dropped('tool_use that was cut off')
      return {
        ...messageStart(start, context),
        content: whole.flatMap((block) => contentOf(block, context)),
        ...ending,
      }
    },
  }
}

/** Arguments are an object here: half of one, from an answer that its limit cut off, would look like a whole one. */
const isHalf = ({ part, texts }: Block): boolean => part.kind === 'tool-call' && isCutOff(texts.join(''))

function contentOf({ part, texts, citations, seal }: Block, context: WriteContext): JsonObject[] {
  const text = texts.join('')
  switch (part.kind) {
    case 'thinking': {
      const redacted = text === '' ? redactedData(seal) : null
      if (redacted !== null) return [{ type: 'redacted_thinking', data: redacted }]
      return text === '' && seal === null ? [] : [{ type: 'thinking', thinking: text, signature: signatureOf(seal) }]
    }
    case 'search':
      return searchBlocks(part, context.newId)
    case 'tool-call': {
      const call = { type: 'tool_use', id: part.id, name: part.name, input: argumentsObject(text) ?? {} }
      return seal ? [carrier(seal, part.id), call] : [call]
    }
    default: {
      const said = text === '' ? [] : [{ type: 'text', text, ...(citations.length > 0 && { citations }) }]
      return seal ? [...said, carrier(seal, null)] : said
    }
  }
}

const carrier = (seal: Seal, callId: string | null): JsonObject => ({
  type: 'thinking',
  thinking: '',
  signature: carrierOf(seal, callId),
})
