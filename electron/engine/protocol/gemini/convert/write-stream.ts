import type { StreamWriter, WriteContext } from '../../canonical/codec.ts'
import { geminiErrorEvent } from '../errors.ts'
import { writeUsage } from '../usage-dialects.ts'
import { namesOf, partWriter } from './write-answer.ts'

/**
 * Writes every chunk as a whole GenerateContentResponse, and gives the last one a part too: SDKs remove an answer with
 * a chunk without parts from the history they keep (isValidResponse of @google/genai).
 */
export function writeStream(context: WriteContext): StreamWriter {
  let out = ''
  let responseId = ''
  let tail = ''
  let ended = false
  const chunk = (part: string, more: string, usage: string) => {
    out += `data: {"candidates":[{"content":{"parts":[${part}],"role":"model"}${more},"index":0}]${usage}${tail}\n\n`
  }
  const write = partWriter(
    {
      text: (text, thought) => chunk(`{"text":${JSON.stringify(text)}${thought ? ',"thought":true' : ''}}`, '', ''),
      part: (json) => chunk(json, '', ''),
      finish: (reason, usage, grounding) =>
        chunk(
          '{"text":""}',
          `,"finishReason":"${reason}"${grounding ? `,"groundingMetadata":${JSON.stringify(grounding)}` : ''}`,
          usage ? `,"usageMetadata":${JSON.stringify(writeUsage(usage))}` : '',
        ),
    },
    context,
  )
  return {
    write(event) {
      if (ended) return ''
      ended = event.type === 'finish' || event.type === 'error'
      if (event.type === 'error')
        return geminiErrorEvent({ code: event.code, message: event.message, requestId: responseId }).toString('utf8')
      if (event.type === 'start') {
        const names = namesOf(event, context)
        responseId = names.responseId
        tail = `,"modelVersion":${JSON.stringify(names.modelVersion)},"responseId":${JSON.stringify(names.responseId)}}`
      }
      out = ''
      write(event)
      return out
    },
  }
}
