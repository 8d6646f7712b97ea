import type { Random } from '../../base/ids.ts'
import type { AnswerUsage } from '../../protocol/canonical/answer.ts'
import type { WriteContext } from '../../protocol/canonical/codec.ts'
import {
  asJsonList,
  collectAnswer,
  convertToBody,
  convertToStream,
  restoring,
  type AdaptedTools,
  type AnswerConversion,
  type BodyConverter,
  type CitationsSetting,
  type KeptAnswer,
  type StreamConverter,
  type WholeAnswer,
  type WireProtocol,
} from '../../protocol/canonical/index.ts'
import { conversionOf } from '../../protocol/conversions.ts'
import { keptResponse, type KeptResponse } from '../request/stored-responses.ts'

/** How to convert an answer for a client of another protocol. Plain data, as it may go to a thread. */
export interface WayBack {
  /** the provider's protocol */
  from: WireProtocol
  to: WireProtocol
  tools: AdaptedTools
  citations: CitationsSetting
  context: Pick<WriteContext, 'model' | 'request' | 'asked' | 'nowMs'>
  /** Gemini: the client's stream is a list */
  isList: boolean
  /** describes the answer's thinking that is kept; null: none is */
  thinking: Pick<KeptAnswer, 'of' | 'by' | 'ordinal' | 'at'> | null
  /** the final response is kept, for a client that names it in its next request */
  keepsResponse: boolean
}

/** Side effects of an answer on its way. */
export interface Effects {
  dropped(name: string): void
  usage(usage: AnswerUsage | null): void
  keepThinking(answer: KeptAnswer): void
  keepResponse(response: KeptResponse): void
}

export interface Converters {
  toStream(): StreamConverter
  toBody(): BodyConverter
}

export function convertersOf(
  { from, to, tools, citations, context, isList, thinking, keepsResponse }: WayBack,
  random: Pick<Random, 'token'>,
  effects: Effects,
): Converters {
  const write: WriteContext = {
    ...context,
    newId: (prefix) => prefix + random.token(18),
    dropped: effects.dropped,
    ...(keepsResponse
      ? {
          final(response) {
            const kept = keptResponse(response)
            if (kept) effects.keepResponse(kept)
          },
        }
      : {}),
  }
  const answer = (): AnswerConversion => {
    const collect = thinking && collectAnswer(thinking, effects.keepThinking)
    return {
      from: conversionOf[from],
      to: conversionOf[to],
      restore: (emit) => restoring(emit, tools, conversionOf[from]),
      citations,
      context: write,
      watch(event) {
        if (event.type === 'finish') effects.usage(event.usage)
        collect?.(event)
      },
    }
  }
  return {
    toStream: () => (isList ? asJsonList(convertToStream(answer())) : convertToStream(answer())),
    toBody: () => convertToBody(answer()),
  }
}

/** The client's form of an answer that came in one body; `stream`: event by event, for a client that wants that. */
export type ConvertedWhole = WholeAnswer | { kind: 'stream'; bytes: Buffer }

export function convertWhole({ toStream, toBody }: Converters, body: Buffer, streaming: boolean): ConvertedWhole {
  if (!streaming) return toBody().whole(body)
  const converter = toStream()
  const bytes = converter.whole(body)
  if (converter.ended === 'error') {
    const answer = toBody().whole(body)
    if (answer.kind === 'failed') return answer
  }
  return { kind: 'stream', bytes }
}

/** An answer that came whole, to be converted in a thread. Plain data. */
export interface AnswerJob {
  back: WayBack
  body: Uint8Array
  streaming: boolean
}

export interface ConvertedAnswer {
  whole: ConvertedWhole
  dropped: readonly string[]
  usage: AnswerUsage | null
  thinking: readonly KeptAnswer[]
  response: KeptResponse | null
}
