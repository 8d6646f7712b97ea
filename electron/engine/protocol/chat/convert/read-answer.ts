import type { Mutable } from '../../../base/mutable.ts'
import type { AnswerUsage, BlockKind } from '../../canonical/answer.ts'
import { type ReadContext, inWords, noteMembers, noteMembersOf } from '../../canonical/codec.ts'
import { namelessCall } from '../../canonical/tools/half-calls.ts'
import { endOf, knownMeaning } from '../../finish-names.ts'
import { asList, asName, asObject, asObjects, asText, type JsonObject } from '../../values.ts'
import { callFinder, isBlank, readCallEntry, marksThought, thoughtTags, vendorRan } from '../call-finder.ts'
import * as facts from '../facts.ts'
import { usageOfChat } from '../facts.ts'
import {
  answerMembers,
  choiceMembers,
  messageMembers,
  partMembers,
  calledMembers,
  callMembers,
} from './answer-members.ts'
import { citationReader } from './citations.ts'
import { isSaid } from './members.ts'
import { textOfThinking } from './read-messages.ts'
import { sealCollector, readCallSeal } from './thinking.ts'

/**
 * Emits the contents of an answer, piece by piece or at once, as canonical events. Emits nothing after finish or error.
 */
interface AnswerReader {
  readonly over: boolean
  readonly started: boolean
  /** characters of text so far */
  readonly words: number
  start(value: JsonObject): void
  /** members beside the message that the canonical answer has no place for */
  aside(value: JsonObject): void
  /** the same beside a choice's message */
  asideChoice(choice: JsonObject): void
  message(message: JsonObject, whole: boolean): void
  /** words of a message that says nothing else */
  content(words: string): void
  /** every call is whole; usage and sources may still come */
  closeCalls(): void
  /** nothing more is said */
  close(): void
  /** `counted`: usage came after the last word */
  finish(reason: string | null, stopSequence: string | null, usage: AnswerUsage | null, counted: boolean): void
  fail(error: { code: string; message: string }): void
}

const nothingElse: JsonObject = {}
const inMessage = 'choices[].message.'

export function answerReader(context: ReadContext): AnswerReader {
  const { emit, dropped, unshown } = context
  let blocks = 0
  let open: { block: number; kind: 'text' | 'thinking' | 'refusal' } | null = null
  let refused = false
  const nextBlock = () => {
    close()
    return blocks++
  }
  const calls = callReader(context, nextBlock)
  const thinking = sealCollector()
  const contents = contentReader(context, say, thinking)
  const citations = citationReader(context)

  function begin(kind: 'text' | 'thinking' | 'refusal'): number {
    if (open?.kind === kind) return open.block
    const block = nextBlock()
    open = { block, kind }
    const part: BlockKind = { kind }
    emit({ type: 'begin', block, part })
    return block
  }

  function say(kind: 'text' | 'thinking' | 'refusal', text: string): void {
    if (text === '') return
    if (kind === 'text') answer.words += text.length
    const block = begin(kind)
    if (kind === 'text') citations.text(block, text)
    emit({ type: 'delta', block, text })
  }

  function close(): void {
    if (open === null) return
    const { block, kind } = open
    open = null
    const seal = kind === 'thinking' ? thinking.seal() : null
    if (seal) emit({ type: 'seal', block, seal })
    emit({ type: 'end', block })
  }

  function fail({ code, message }: { code: string; message: string }): void {
    if (answer.over) return
    answer.over = true
    emit({ type: 'error', code, message })
  }

  const answer: Mutable<AnswerReader> = {
    fail,
    over: false,
    started: false,
    words: 0,
    start(value) {
      if (answer.started) return
      answer.started = true
      emit({ type: 'start', model: asName(value['model']), usage: usageOfChat(value) })
    },
    aside(value) {
      citations.sources(value)
      noteMembers(value, answerMembers, '', dropped)
    },
    asideChoice(choice) {
      if (isSaid(choice['logprobs'])) dropped('logprobs')
      noteMembers(choice, choiceMembers, 'choices[].', dropped)
    },
    message(message, whole) {
      noteMembers(message, messageMembers, inMessage, dropped)
      if (isSaid(message['extra_content']) && !marksThought(message)) dropped(`${inMessage}extra_content`)
      const thought = thinking.take(message, whole)
      if (thought !== null) {
        begin('thinking')
        say('thinking', thought)
      }
      contents.read(message)
      const refusal = asName(message['refusal'])
      if (refusal !== null) {
        refused = true
        say('refusal', refusal)
      }
      for (const call of facts.calls(message)) {
        const ran = vendorRan(call)
        if (ran === null) calls.entry(call, whole)
        else unshown(`tool_calls[].${ran.type}`, ran.label, 'aside')
      }
      const legacy = facts.legacyCall(message)
      if (legacy) calls.entry({ index: -1, function: legacy }, false)
      citations.annotations(message['annotations'])
      if (isSaid(message['executed_tools'])) unshown(`${inMessage}executed_tools`, 'tool run', 'aside')
      if (isSaid(message['images'])) unshown('images', 'image')
      contents.hear(message['audio'])
    },
    content: (said) => contents.words(said, nothingElse),
    closeCalls: () => calls.end(),
    close() {
      contents.end()
      citations.flush()
      close()
      calls.end()
    },
    finish(reason, stopSequence, usage, counted) {
      if (answer.over) return
      // Without a finish reason, half a call says that the answer broke off.
      const explained = reason !== null || !calls.half()
      const end = endOf(reason, {
        calls: explained && calls.any(),
        text: explained && answer.words > 0,
        usage: counted,
        refusal: refused,
      })
      if (end.kind === 'failed') return fail(end)
      if (calls.nameless() && end.reason !== 'length') return fail(namelessCall)
      if (reason !== null && knownMeaning(reason) === null) dropped('finish_reason')
      answer.over = true
      const ending = end.reason === 'stop' && stopSequence !== null ? 'stop-sequence' : end.reason
      emit({ type: 'finish', reason: ending, stopSequence, usage })
    },
  }
  return answer
}

/** Reads the words of messages, in all the forms that servers have for them. */
function contentReader(
  { dropped, unshown }: ReadContext,
  say: (kind: 'text' | 'thinking', text: string) => void,
  thinking: ReturnType<typeof sealCollector>,
) {
  const tags = thoughtTags()
  let sound: 'in-words' | 'wordless' | null = null

  function words(value: string, message: JsonObject): void {
    const { thinking: thought, text } = tags.split(value, message)
    say('thinking', thought)
    say('text', text)
  }

  /** `image_url`, `output_audio`, `file` …; Mistral's references only say where the words are from. */
  function otherPart(type: string): void {
    const label = /image|audio|video|file|document/.exec(type)?.[0]
    if (label !== undefined) unshown(`content[].${type}`, label)
    else if (type === 'reference') unshown(`content[].${type}`, 'sources', 'aside')
    else unshown(`content[].${type}`, inWords(type, 'part'), 'aside')
  }

  return {
    words,
    read(message: JsonObject): void {
      const value = message['content']
      if (typeof value === 'string') return words(value, message)
      for (const part of asObjects(value)) {
        const text = asText(part['text'])
        if (text !== null || part['type'] === 'thinking')
          noteMembers(part, partMembers, `${inMessage}content[].`, dropped)
        if (part['type'] === 'thinking') {
          for (const piece of asList(part['thinking']))
            noteMembersOf(piece, partMembers, `${inMessage}content[].thinking[].`, dropped)
          const thought = textOfThinking(part)
          say('thinking', thought)
          thinking.add(thought, 'content')
        } else if (part['type'] === 'reasoning') say('thinking', summaryOf(part, dropped))
        else if (text !== null) say('text', text)
        else otherPart(asName(part['type']) ?? 'type')
      }
    },
    /** words that the model speaks come in writing, too (`ChatCompletionAudio` of the `openai` package). */
    hear(audio: unknown): void {
      if (!isSaid(audio)) return
      const words = asName(asObject(audio)?.['transcript'])
      sound = words !== null || sound === 'in-words' ? 'in-words' : 'wordless'
      if (words !== null) say('text', words)
    },
    end(): void {
      say('thinking', tags.rest())
      if (sound === 'in-words') dropped('audio')
      if (sound === 'wordless') unshown('audio', 'audio')
      sound = null
    },
  }
}

/**
 * Databricks shows Claude's thinking as a part of the content; its signature would have to come back in the same form.
 * https://docs.databricks.com/aws/en/machine-learning/foundation-model-apis/api-reference (`ReasoningContent`)
 */
function summaryOf(part: JsonObject, dropped: (name: string) => void): string {
  let text = ''
  for (const piece of asObjects(part['summary'])) {
    text += asText(piece['text']) ?? ''
    if (isSaid(piece['signature'])) dropped('content[].reasoning.signature')
  }
  return text
}

/** vLLM and SGLang say which stop sequence they met; a number there is that of a token. */
export const stopSequenceOf = (choice: JsonObject): string | null =>
  asName(choice['stop_reason']) ?? asName(choice['matched_stop'])

interface Call {
  /** null until its name is known: a call begins with it */
  block: number | null
  index: number | null
  id: string | null
  custom: boolean
  /** arguments that came before the name */
  held: string
  /** any arguments came */
  begun: boolean
}

interface CallReader {
  any(): boolean
  /** a function's arguments are not whole so far */
  half(): boolean
  /** a call never got its name */
  nameless(): boolean
  /** an entry of `tool_calls`; in a whole message each one is a call of its own */
  entry(value: JsonObject, whole: boolean): void
  end(): void
}

const path = 'choices[].message.tool_calls[].'

/** Puts tool calls together from their pieces. */
function callReader({ emit, newId, dropped }: ReadContext, nextBlock: () => number): CallReader {
  const found = callFinder<Call>()
  let ended = false
  const isNone = ({ block, id, held }: Call): boolean => block === null && isBlank({ id, name: null, text: held })

  function begun(call: Call, name: string): number {
    const block = nextBlock()
    call.block = block
    emit({
      type: 'begin',
      block,
      part: { kind: 'tool-call', id: call.id ?? newId('call_'), name, custom: call.custom },
    })
    return block
  }

  return {
    any: () => found.calls.some((call) => !isNone(call)),
    half: () =>
      found.calls.some(
        (call) => (call.block === null && !isNone(call)) || (call.begun && !call.custom && !found.isWhole(call)),
      ),
    nameless: () => found.calls.some((call) => call.block === null && !isNone(call)),
    entry(value, whole) {
      noteMembers(value, callMembers, path, dropped)
      noteMembersOf(value['function'], calledMembers, `${path}function.`, dropped)
      noteMembersOf(value['custom'], calledMembers, `${path}custom.`, dropped)
      const entry = readCallEntry(value)
      const { name, text } = entry
      let call = whole ? null : found.find(entry)
      if (!call) {
        call = {
          block: null,
          index: entry.index,
          id: entry.id,
          custom: entry.custom,
          held: '',
          begun: false,
        }
        found.add(call, entry)
      }
      call.begun ||= text !== ''
      if (call.block === null && name === null) {
        call.held += text
        return
      }
      const held = call.held
      const block = call.block ?? begun(call, name ?? '')
      call.held = ''
      const seal = value['extra_content'] === undefined ? null : readCallSeal(value)
      if (seal) emit({ type: 'seal', block, seal })
      if (held + text !== '') emit({ type: 'delta', block, text: held + text })
    },
    end() {
      if (ended) return
      ended = true
      for (const call of found.calls) {
        if (call.block === null) {
          if (!isNone(call)) dropped('tool_calls[] without a name')
        } else emit({ type: 'end', block: call.block })
      }
    },
  }
}
