import type { WireProtocol } from '../../canonical/request.ts'
import { at, each, members, words } from '../golden/client-answer.ts'

/** Returns a whole answer as the same provider would stream it: in small pieces, with the events its SDKs know. */
export const streamed = (protocol: WireProtocol, answer: unknown): string => ways[protocol](answer)

const ways: Record<WireProtocol, (answer: unknown) => string> = { chat, responses, messages, gemini }

const event = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
const typed = (type: string, more: object): string => event({ type, ...more }, type)
const pieces = (text: string): string[] => text.match(/[\s\S]{1,7}/g) ?? []

function chat(answer: unknown): string {
  const choice = members(at(answer, 'choices', 0))
  const message = members(choice['message'])
  const chunk = (delta: object, finish: unknown = null) =>
    event({
      id: at(answer, 'id'),
      object: 'chat.completion.chunk',
      created: at(answer, 'created'),
      model: at(answer, 'model'),
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
  const texts = (name: string) => pieces(words(message[name])).map((piece) => chunk({ [name]: piece }))
  return [
    chunk({ role: 'assistant', content: '' }),
    ...texts('reasoning_content'),
    ...each(message['reasoning_details']).map((detail) => chunk({ reasoning_details: [detail] })),
    ...texts('content'),
    ...each(message['tool_calls']).flatMap((call, index) => {
      const { function: named, ...head } = members(call)
      const { name, arguments: args } = members(named)
      return [
        chunk({ tool_calls: [{ index, ...head, function: { name, arguments: '' } }] }),
        ...pieces(words(args)).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ]
    }),
    chunk({}, choice['finish_reason']),
    event({ id: at(answer, 'id'), object: 'chat.completion.chunk', choices: [], usage: at(answer, 'usage') }),
    'data: [DONE]\n\n',
  ].join('')
}

function responses(answer: unknown): string {
  const { output, ...head } = members(answer)
  const begun = { ...head, status: 'in_progress', output: [] }
  return [
    typed('response.created', { response: begun }),
    ...each(output).flatMap((item, index) => {
      const place = { output_index: index, item_id: at(item, 'id') }
      const deltas =
        at(item, 'type') === 'reasoning'
          ? each(at(item, 'summary')).flatMap((part, at_) =>
              pieces(words(at(part, 'text'))).map((delta) =>
                typed('response.reasoning_summary_text.delta', { ...place, summary_index: at_, delta }),
              ),
            )
          : at(item, 'type') === 'message'
            ? pieces(words(at(item, 'content', 0, 'text'))).map((delta) =>
                typed('response.output_text.delta', { ...place, content_index: 0, delta }),
              )
            : pieces(words(at(item, 'arguments'))).map((delta) =>
                typed('response.function_call_arguments.delta', { ...place, delta }),
              )
      const opening = { ...members(item), status: 'in_progress', arguments: '', content: [], summary: [] }
      return [
        typed('response.output_item.added', {
          output_index: index,
          item: { ...opening, encrypted_content: undefined },
        }),
        ...deltas,
        typed('response.output_item.done', { output_index: index, item }),
      ]
    }),
    typed('response.completed', { response: answer }),
  ].join('')
}

function messages(answer: unknown): string {
  const { content, stop_reason: reason, usage, ...head } = members(answer)
  const delta = (index: number, said: object) => typed('content_block_delta', { index, delta: said })
  return [
    typed('message_start', { message: { ...head, content: [], stop_reason: null, usage } }),
    ...each(content).flatMap((block, index) => {
      const start = (opened: object) => typed('content_block_start', { index, content_block: opened })
      const stop = typed('content_block_stop', { index })
      switch (at(block, 'type')) {
        case 'thinking':
          return [
            start({ type: 'thinking', thinking: '', signature: '' }),
            ...pieces(words(at(block, 'thinking'))).map((thinking) =>
              delta(index, { type: 'thinking_delta', thinking }),
            ),
            delta(index, { type: 'signature_delta', signature: at(block, 'signature') }),
            stop,
          ]
        case 'tool_use':
          return [
            start({ ...members(block), input: {} }),
            ...pieces(JSON.stringify(at(block, 'input'))).map((partial_json) =>
              delta(index, { type: 'input_json_delta', partial_json }),
            ),
            stop,
          ]
        case 'text':
          return [
            start({ type: 'text', text: '' }),
            ...pieces(words(at(block, 'text'))).map((text) => delta(index, { type: 'text_delta', text })),
            stop,
          ]
        default:
          return [start(members(block)), stop]
      }
    }),
    typed('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage }),
    typed('message_stop', {}),
  ].join('')
}

/** Text comes in pieces; its signature comes with the last of them, as Google sends it. */
function gemini(answer: unknown): string {
  const { candidates, ...rest } = members(answer)
  const parts = each(at(candidates, 0, 'content', 'parts'))
  const chunk = (part: object, more: object = {}) =>
    event({ candidates: [{ content: { role: 'model', parts: [part] }, index: 0, ...more }], ...rest })
  return [
    ...parts.flatMap((part) => {
      const { text, thoughtSignature: signature, ...more } = members(part)
      const said = pieces(words(text))
      if (said.length === 0) return [chunk(members(part))]
      return said.map((piece, i) =>
        chunk({ text: piece, ...more, ...(i === said.length - 1 && signature ? { thoughtSignature: signature } : {}) }),
      )
    }),
    chunk({ text: '' }, { finishReason: 'STOP' }),
  ].join('')
}
