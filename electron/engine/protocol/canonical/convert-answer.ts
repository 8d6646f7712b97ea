import type { EntryProtocol } from '../../../../shared/words.ts'
import type { Mutable } from '../../base/mutable.ts'
import type { Frame } from '../answer/frame.ts'
import { overflowCode } from '../failures/failure-kinds.ts'
import { overflowOf, overflowWords } from '../failures/overflow.ts'
import type { Progress } from '../types.ts'
import { parseObject, parseObjects } from '../values.ts'
import type { AnswerEvent, Emit, Citation } from './answer.ts'
import type { ConversionCodec, ReadContext, WriteContext } from './codec.ts'
import { inOrder } from './in-order.ts'
import { appendSources, type CitationsSetting } from './sources/append-sources.ts'
import { sealPhases } from './thinking/phases.ts'
import { refuseHalfCalls } from './tools/half-calls.ts'

export interface AnswerConversion {
  /** the provider's protocol */
  from: ConversionCodec
  /** the client's protocol */
  to: ConversionCodec
  /** gives calls the client's own names again */
  restore(emit: Emit): Emit
  /** how the sources it names are treated; `convert` where nothing is said */
  citations?: CitationsSetting
  context: WriteContext
  /** called with every event in the order the client gets them */
  watch?: Emit
}

/** The result of a provider's answer for a client that wants one JSON body. */
export type WholeAnswer = { kind: 'body'; body: Buffer } | { kind: 'failed'; code: string; message: string }

/** A provider's stream or body as the client's stream. */
export interface StreamConverter {
  /** @returns whole events of the client's protocol, empty when there is nothing to say yet */
  frame(frame: Frame): Buffer
  /** the provider's body ended: an answer that is not whole ends in an error event */
  end(): Buffer
  /** the provider broke off, or its answer can't be read on */
  fail(error: { code: string; message: string }): Buffer
  /** the provider answered in one body though a stream was asked for */
  whole(body: Buffer): Buffer
  /** how it ended; null while it has not */
  readonly ended: 'finish' | 'error' | null
  progress(): Progress
}

/**
 * Converts event by event: each goes on as soon as it came. Memory does not grow with the answer, the client's final
 * object aside.
 */
export function convertToStream(conversion: AnswerConversion): StreamConverter {
  const writer = conversion.to.writeStream(conversion.context)
  let out: string[] = []
  const take = (): Buffer => {
    if (out.length === 0) return nothing
    const bytes = Buffer.from(out.length === 1 ? (out[0] ?? '') : out.join(''))
    out = []
    return bytes
  }
  const converter: Mutable<StreamConverter> = {
    ended: null,
    frame(frame) {
      source.frame(frame)
      return take()
    },
    end() {
      source.end()
      return take()
    },
    fail(error) {
      source.fail(error)
      return take()
    },
    whole(body) {
      source.whole(body)
      return take()
    },
    progress: () => source.progress(),
  }
  const write: Emit = (event) => {
    const text = writer.write(event.type === 'error' ? inWords(event, conversion.to.protocol) : event)
    if (text !== '') out.push(text)
  }
  const source = read(conversion, converter, write)
  return converter
}

function inWords(event: Extract<AnswerEvent, { type: 'error' }>, protocol: EntryProtocol): AnswerEvent {
  const overflow = overflowOf(event)
  return overflow ? { type: 'error', code: overflowCode, message: overflowWords(protocol, overflow) } : event
}

/** A provider's stream or body as one JSON body of the client's protocol. */
export interface BodyConverter {
  frame(frame: Frame): void
  progress(): Progress
  end(): WholeAnswer
  /** the provider answered in one body */
  whole(body: Buffer): WholeAnswer
}

export function convertToBody(conversion: AnswerConversion): BodyConverter {
  const writer = conversion.to.writeBody(conversion.context)
  let failure: { code: string; message: string } | null = null
  const source = read(conversion, { ended: null }, (event) => {
    if (event.type === 'error') failure = { code: event.code, message: event.message }
    else writer.add(event)
  })
  const result = (): WholeAnswer =>
    failure ? { kind: 'failed', ...failure } : { kind: 'body', body: Buffer.from(JSON.stringify(writer.body())) }
  return {
    frame: (frame) => source.frame(frame),
    progress: () => source.progress(),
    end() {
      source.end()
      return result()
    },
    whole(body) {
      source.whole(body)
      return result()
    },
  }
}

const nothing = Buffer.alloc(0)
/**
 * The most events that one frame, or an answer that comes whole, may be: a call is three. No model says a hundredth of
 * it at once, and all other clients would wait.
 */
const MOST_AT_ONCE = 6_000
const tooMuchAtOnce = {
  code: 'answer-too-complex',
  message: 'The provider sent too many parts or calls at once for its answer to be converted.',
}

/** `progress.ended` is set as soon as the answer has ended. */
function read(
  { from, to, restore, citations, context, watch }: AnswerConversion,
  progress: Pick<Mutable<StreamConverter>, 'ended'>,
  write: Emit,
): Source {
  const emit = ownCallIds((event) => {
    watch?.(event)
    write(event)
  }, context)
  let begun = false
  /** events of one frame */
  let said = 0
  const guarded: Emit = (event: AnswerEvent) => {
    if (progress.ended !== null) return
    if (++said > MOST_AT_ONCE && event.type !== 'error') {
      said = 0
      return fail(tooMuchAtOnce)
    }
    if (event.type === 'finish' || event.type === 'error') progress.ended = event.type
    // An answer that fails before it began is still an answer to the client's reader.
    if (!begun && event.type !== 'start' && event.type !== 'error') emit({ type: 'start', model: null, usage: null })
    begun = true
    emit(event)
  }
  const shown = to.interleaves ? guarded : inOrder(guarded)
  // Only Responses has phases, and for a client of Responses nothing is converted.
  const teller = tellUnshown(restore(from.protocol === 'responses' ? sealPhases(shown, context.newId) : shown))
  const say = refuseHalfCalls(citations === 'append' ? appendSources(teller.emit, context.dropped) : teller.emit, {
    asObjects: to.protocol === 'messages',
  })
  const readContext: ReadContext = {
    emit: to.protocol === 'chat' ? withoutSearches(say, (label) => teller.unshown(label, 'aside'), context) : say,
    dropped: context.dropped,
    listsSources: citations === 'append',
    unshown(name, label, how) {
      context.dropped(name)
      // Blocks come after the answer's start, and no note comes after its end.
      if (progress.ended === null) teller.unshown(label, how)
    },
    newId: context.newId,
  }
  const reader = from.readStream(readContext)
  const fail = (error: { code: string; message: string }) => say({ type: 'error', ...error })
  const orEnd = () => {
    if (progress.ended === null)
      fail({ code: 'upstream-broke-off', message: 'The provider ended its answer in the middle.' })
  }
  return {
    frame(frame) {
      said = 0
      if (progress.ended === null && frame.says) reader.event(frame)
    },
    end() {
      said = 0
      if (progress.ended === null) reader.end()
      orEnd()
    },
    progress() {
      if (progress.ended !== null) return progress.ended === 'finish' ? 'over' : 'under-way'
      return reader.whole?.() ? 'whole' : 'under-way'
    },
    fail,
    whole(body) {
      const value = parseObject(body)
      const chunks = value || !from.readList ? null : parseObjects(body)
      if (value) from.readBody(value, readContext)
      else if (chunks) from.readList?.(chunks, readContext)
      else
        return fail({
          code: 'bad-answer',
          message: 'The answer of the provider is neither whole JSON nor a stream of events.',
        })
      orEnd()
    },
  }
}

/** Chat has no place for a search that the vendor ran, only for the sources it led to. */
function withoutSearches(emit: Emit, aside: (label: string) => void, { dropped }: WriteContext): Emit {
  const searches = new Set<number>()
  return (event) => {
    if (event.type === 'begin' && event.part.kind === 'search') {
      searches.add(event.block)
      dropped('web_search')
      return aside('web search')
    }
    if (event.type !== 'end' || !searches.has(event.block)) emit(event)
  }
}

/**
 * A call with the id of an earlier one gets an id of its own: vendors exist that count anew in each answer, and others
 * refuse a history in which two calls have one id.
 */
function ownCallIds(emit: Emit, { request, newId }: WriteContext): Emit {
  let taken: Set<string> | null = null
  return (event) => {
    if (event.type !== 'begin' || event.part.kind !== 'tool-call') return emit(event)
    taken ??= new Set(callIds(request))
    const { part } = event
    emit(taken.has(part.id) ? { ...event, part: { ...part, id: newId('call_') } } : event)
    taken.add(part.id)
  }
}

const callIds = ({ messages }: WriteContext['request']): string[] =>
  messages.flatMap((message) =>
    message.role === 'assistant' ? message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])) : [],
  )

interface Source {
  frame(frame: Frame): void
  progress(): Progress
  end(): void
  fail(error: { code: string; message: string }): void
  whole(body: Buffer): void
}

export interface UnshownTeller {
  /** the answer's events, on their way to the client */
  emit: Emit
  /** something that the client's protocol can't show; `aside`: named only if the answer says nothing else */
  unshown(label: string, how?: 'aside'): void
}

/**
 * Names in the answer's text what the client can't be shown, each thing once: an answer without a word would look empty
 * to it, and a person would not know what is missing. The notes are blocks of their own, with numbers below zero.
 */
export function tellUnshown(emit: Emit): UnshownTeller {
  const named = new Set<string>()
  const asides = new Set<string>()
  const texts = new Set<number>()
  let notes = 0
  let says = false
  let textBefore = false
  let gap = false
  /** the text block that begins with a gap of ours, by which the places of its citations move */
  let shifted: number | null = null

  function note(label: string): void {
    if (named.has(label)) return
    named.add(label)
    const block = -++notes
    emit({ type: 'begin', block, part: { kind: 'text' } })
    emit({ type: 'delta', block, text: `${textBefore ? '\n\n' : ''}[${label}, not shown by this client]` })
    emit({ type: 'end', block })
    says = true
    textBefore = true
    gap = true
  }

  function delta(event: Extract<AnswerEvent, { type: 'delta' }>): void {
    says ||= event.text !== ''
    if (!texts.has(event.block) || event.text === '') return emit(event)
    textBefore = true
    if (!gap) return emit(event)
    gap = false
    shifted = event.block
    emit({ ...event, text: `\n\n${event.text}` })
  }

  return {
    unshown(label, how) {
      if (how === 'aside') asides.add(label)
      else note(label)
    },
    emit(event) {
      switch (event.type) {
        case 'begin':
          if (event.part.kind === 'text') texts.add(event.block)
          says ||= event.part.kind === 'tool-call' || event.part.kind === 'search'
          return emit(event)
        case 'delta':
          return delta(event)
        case 'citation':
          asides.add('sources')
          return emit(event.block === shifted ? { ...event, citation: moved(event.citation) } : event)
        case 'finish':
          if (!says) for (const label of asides) note(label)
          return emit(event)
        default:
          return emit(event)
      }
    },
  }
}

const moved = (citation: Citation): Citation => ({
  ...citation,
  start: citation.start === null ? null : citation.start + '\n\n'.length,
  end: citation.end === null ? null : citation.end + '\n\n'.length,
})
