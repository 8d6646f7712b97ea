import { describe, expect, it } from 'vitest'
import { objectsOf } from '../join/testing/rounds.ts'
import { asObject, parseObject, type JsonObject } from '../values.ts'
import { responsesCodec } from './codec.ts'

const asked = {
  model: 'm',
  input: 'go',
  instructions: 'Be short.',
  metadata: { a: 'b' },
  tools: [{ type: 'function', name: 'look', parameters: { type: 'object' }, strict: false }],
  tool_choice: 'required',
  store: false,
}
const answered = (stream: boolean, request: JsonObject | null): (JsonObject | null)[] => {
  const { body } = responsesCodec.answer({
    id: '1',
    model: 'm',
    text: 'Done.',
    stream,
    nowMs: 0,
    ...(request && { asked: Buffer.from(JSON.stringify(request)) }),
  })
  return stream
    ? objectsOf(body.toString()).flatMap((event) => (event['response'] ? [asObject(event['response'])] : []))
    : [parseObject(body)]
}

describe.each([true, false])("Onward's own answer (stream: %s)", (stream) => {
  it('repeats what the client asked, as a response does', () => {
    const { model: _model, input: _input, ...echoed } = asked
    for (const response of answered(stream, asked)) expect(response).toMatchObject(echoed)
  })

  it('has every member where nothing was asked', () => {
    for (const response of answered(stream, null))
      expect(response).toMatchObject({ tools: [], instructions: null, tool_choice: 'auto', metadata: {}, error: null })
  })
})
