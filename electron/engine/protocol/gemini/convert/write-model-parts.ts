import type { Message, Seal, ThinkingPart, ToolCallPart } from '../../canonical/request.ts'
import { argumentsObject } from '../../canonical/tools/arguments-object.ts'
import type { Draft } from './members.ts'
import { isSealOfText, signatureOf } from './seals.ts'
import { noSignature } from '../../canonical/thinking/wanted-back.ts'
import { writeMedia } from './write-media.ts'

type Parts = Extract<Message, { role: 'assistant' }>['parts']

interface StepWriter {
  /** a new content of the model: a new step */
  begin(): void
  /** `checked`: Gemini demands a signature on the first call of the step */
  write(parts: Parts, into: Draft[], checked: boolean): void
}

/** `names` gets the name of each call: results must repeat it. */
export function stepWriter(names: Map<string, string>, dropped: Set<string>): StepWriter {
  let hasCall = false
  /** a signature without text, which another protocol could only put before the call it belongs to */
  let loose: Seal | null = null

  function flush(into: Draft[]): void {
    if (loose) into.push({ text: '', thought: true, thoughtSignature: signatureOf(loose) })
    loose = null
  }

  function thinking({ text, seal }: ThinkingPart, into: Draft[]): void {
    const own = seal?.of === 'gemini' ? seal : null
    if (seal && !own) dropped.add(text === '' ? 'thinking' : 'thinking.signature')
    if (own && text === '') {
      if (!isSealOfText(own)) loose = own
      else signText(into, signatureOf(own))
    } else if (text !== '')
      into.push({ text: own?.text ?? text, thought: true, ...(own && { thoughtSignature: signatureOf(own) }) })
  }

  function call(part: ToolCallPart, into: Draft[], checked: boolean): void {
    const { id, name, seal } = part
    names.set(id, name)
    const own = seal?.of === 'gemini' ? seal : loose
    loose = null
    const signature = own ? signatureOf(own) : checked && !hasCall ? noSignature : null
    if (!own && seal) dropped.add('thinking.signature')
    hasCall = true
    const args = argumentsObject(part.arguments)
    if (!args) dropped.add('messages[].arguments')
    into.push({
      functionCall: { id, name, args: args ?? { arguments: part.arguments } },
      ...(signature !== null && { thoughtSignature: signature }),
    })
  }

  return {
    begin() {
      hasCall = false
      loose = null
    },
    write(parts, into, checked) {
      for (const part of parts) {
        if (part.type !== 'tool-call') flush(into)
        if ('cache' in part && part.cache) dropped.add('cache_control')
        if (part.type === 'tool-call') call(part, into, checked)
        else if (part.type === 'thinking') thinking(part, into)
        else if (part.type === 'image') {
          const media = writeMedia(part, dropped)
          if (media) into.push(media)
        } else if (part.text !== '') into.push({ text: part.text })
      }
      flush(into)
    },
  }
}

/** Signs the text right before it, where the signature came from; without one, adds an empty part, as in a stream. */
function signText(into: Draft[], signature: string): void {
  const last = into.at(-1)
  if (
    last &&
    typeof last['text'] === 'string' &&
    last['text'] !== '' &&
    last['thought'] !== true &&
    last['thoughtSignature'] === undefined
  )
    last['thoughtSignature'] = signature
  else into.push({ text: '', thoughtSignature: signature })
}
