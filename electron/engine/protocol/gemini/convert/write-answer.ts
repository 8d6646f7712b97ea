import type { AnswerEvent, AnswerFinish, AnswerUsage } from '../../canonical/answer.ts'
import type { WriteContext } from '../../canonical/codec.ts'
import type { Seal } from '../../canonical/request.ts'
import { argumentsObject } from '../../canonical/tools/arguments-object.ts'
import type { JsonObject } from '../../values.ts'
import { isSealOfText, signatureOf } from './seals.ts'
import { citationWriter } from './write-citations.ts'
import { finishWords } from '../../finish-words.ts'

/** Takes an answer in Gemini's parts, to write it as chunks or as one body. Parts are JSON. */
interface PartSink {
  text(text: string, thought: boolean): void
  /** takes a whole part */
  part(json: string): void
  /** `grounding`: `groundingMetadata` of the candidate */
  finish(reason: string, usage: AnswerUsage | null, grounding: JsonObject | null): void
}

/** The names in an answer that are known from its start. */
interface AnswerNames {
  responseId: string
  modelVersion: string
}

export const namesOf = (event: { model: string | null }, context: WriteContext): AnswerNames => ({
  responseId: context.newId('resp_'),
  modelVersion: event.model ?? context.model,
})

export function partWriter(
  sink: PartSink,
  context: WriteContext,
): (event: Exclude<AnswerEvent, { type: 'error' }>) => void {
  let call: { id: string; name: string; pieces: string[]; seal: Seal | null } | null = null
  let thought = false
  let malformed = false
  let startUsage: AnswerUsage | null = null
  const citations = citationWriter(context.dropped)

  /** Gemini sends only whole calls, and none whose arguments are no object or were cut off. */
  function endCall({ id, name, pieces, seal }: NonNullable<typeof call>): void {
    const json = pieces.join('')
    if (argumentsObject(json) === null) {
      malformed = true
      return context.dropped('functionCall.args')
    }
    // White space between tokens may hold line ends, which would end the event's line.
    const args = /^\s*(?:null\s*)?$/.test(json) ? '{}' : json.replaceAll(/[\r\n]+/g, ' ')
    const signature = seal ? `,"thoughtSignature":${JSON.stringify(signatureOf(seal))}` : ''
    sink.part(`{"functionCall":{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"args":${args}}${signature}}`)
  }

  return (event) => {
    switch (event.type) {
      case 'start':
        startUsage = event.usage
        return
      case 'begin':
        thought = event.part.kind === 'thinking'
        if (event.part.kind === 'search') return citations.search(event.part)
        if (event.part.kind === 'text') citations.begin(event.block)
        call =
          event.part.kind === 'tool-call' ? { id: event.part.id, name: event.part.name, pieces: [], seal: null } : null
        return
      case 'delta':
        if (call) call.pieces.push(event.text)
        else if (event.text !== '') {
          if (!thought) citations.text(event.text)
          sink.text(event.text, thought)
        }
        return
      case 'citation':
        return citations.add(event.block, event.citation)
      case 'seal':
        if (call) call.seal = event.seal
        else
          sink.part(
            `{"text":""${isSealOfText(event.seal) ? '' : ',"thought":true'},` +
              `"thoughtSignature":${JSON.stringify(signatureOf(event.seal))}}`,
          )
        return
      case 'end':
        if (call) endCall(call)
        call = null
        return
      case 'finish':
        if (event.stopSequence !== null) context.dropped('stopSequence')
        if (event.reason === 'pause-turn' || event.reason === 'incomplete') context.dropped(event.reason)
        if (event.usage && event.usage.cacheWrite > 0) context.dropped('usage.cacheWrite')
        return sink.finish(reasonOf(event.reason, malformed), event.usage ?? startUsage, citations.metadata())
    }
  }
}

/**
 * FinishReason of the Gemini API. A call that is no JSON object has no form in Gemini, so it counts as malformed,
 * except in an answer cut off by its limit, where it is expected.
 */
const reasonOf = (finish: AnswerFinish, malformed: boolean): string =>
  malformed && finish !== 'length' ? 'MALFORMED_FUNCTION_CALL' : finishWords.gemini[finish]
