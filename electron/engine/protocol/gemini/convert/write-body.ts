import type { BodyWriter, WriteContext } from '../../canonical/codec.ts'
import { asObject, type JsonObject } from '../../values.ts'
import type { Draft } from './members.ts'
import { writeUsage } from '../usage-dialects.ts'
import { namesOf, partWriter } from './write-answer.ts'

export function writeBody(context: WriteContext): BodyWriter {
  const parts: Draft[] = []
  const body: Draft = {}
  let texts: string[] = []
  let thought = false
  let names: JsonObject = {}
  const close = () => {
    if (texts.length > 0) parts.push({ text: texts.join(''), ...(thought && { thought: true }) })
    texts = []
  }
  const write = partWriter(
    {
      text(text, isThought) {
        if (isThought !== thought) close()
        thought = isThought
        texts.push(text)
      },
      part(json) {
        const goesOn = texts.length > 0
        close()
        addPart(parts, asObject(JSON.parse(json)) ?? {}, goesOn)
      },
      finish(reason, usage, grounding) {
        close()
        body['candidates'] = [
          {
            content: { parts: parts.length > 0 ? parts : [{ text: '' }], role: 'model' },
            finishReason: reason,
            ...(grounding && { groundingMetadata: grounding }),
            index: 0,
          },
        ]
        if (usage) body['usageMetadata'] = writeUsage(usage)
        Object.assign(body, names)
      },
    },
    context,
  )
  return {
    add(event) {
      if (event.type === 'error') return
      if (event.type === 'start') names = { ...namesOf(event, context) }
      if (event.type === 'end') close()
      write(event)
    },
    body: () => body,
  }
}

/**
 * In one body a signature is on the part it is for; in a stream that part was already sent. `goesOn`: in the same
 * block.
 */
function addPart(parts: Draft[], part: JsonObject, goesOn: boolean): void {
  const last = parts.at(-1)
  const isFor =
    part['text'] === '' &&
    last?.['text'] !== undefined &&
    last['thoughtSignature'] === undefined &&
    last['thought'] === part['thought'] &&
    (goesOn || part['thought'] !== true)
  if (last && isFor) last['thoughtSignature'] = part['thoughtSignature']
  else parts.push({ ...part })
}
