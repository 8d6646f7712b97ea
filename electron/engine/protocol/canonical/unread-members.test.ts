/** An unknown member, wherever it stands in a request: carried as it is, or recorded by its name. */
import { describe, expect, it } from 'vitest'
import { conversionOf } from '../conversions.ts'
import { stray, withStray } from '../testing/with-stray.ts'
import { asObject, type JsonObject } from '../values.ts'
import { wireProtocols, type WireProtocol } from './request.ts'

const schema = { type: 'object', properties: { path: { type: 'string' } } }
const png = 'iVBORw0KGgo='

/** Requests with something of every kind that is read. */
const requests: Record<WireProtocol, { path: string; body: JsonObject }> = {
  chat: {
    path: '/v1/chat/completions',
    body: {
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi', prompt_cache_breakpoint: { mode: 'explicit' } },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${png}`, detail: 'low' } },
            { type: 'input_audio', input_audio: { data: png, format: 'wav' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${png}` } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
            { type: 'refusal', refusal: 'No.' },
          ],
          reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', index: 0 }],
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: { name: 'look', arguments: '{}' },
              extra_content: { google: { thought_signature: 'AA==' } },
            },
            { id: 'c2', type: 'custom', custom: { name: 'run', input: 'ls' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'found' }] },
        { role: 'tool', tool_call_id: 'c2', content: 'done' },
        { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{}' } },
        { role: 'function', name: 'look', content: 'found' },
      ],
      tools: [
        { type: 'function', function: { name: 'look', description: 'd', parameters: schema, strict: true } },
        {
          type: 'custom',
          custom: { name: 'run', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 's' } } },
        },
      ],
      functions: [{ name: 'old', parameters: schema }],
      web_search_options: { search_context_size: 'low' },
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'look' } }] },
      },
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } },
      reasoning: { effort: 'low', max_tokens: 100, enabled: true, exclude: false },
      thinking: { type: 'enabled', budget_tokens: 100 },
      metadata: { a: 'b' },
    },
  },
  responses: {
    path: '/v1/responses',
    body: {
      model: 'm',
      instructions: [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] }],
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'Hi' },
            { type: 'input_image', image_url: { url: `data:image/png;base64,${png}` } },
            { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${png}` },
            { type: 'input_audio', input_audio: { data: png, format: 'wav' } },
          ],
        },
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'Hm.' }],
          content: [{ type: 'reasoning_text', text: 'Hm.' }],
          encrypted_content: 'gAAA',
        },
        {
          type: 'message',
          role: 'assistant',
          content: [
            { type: 'output_text', text: 'Looking.' },
            { type: 'refusal', refusal: 'No.' },
          ],
        },
        { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'found' }] },
        { type: 'custom_tool_call', call_id: 'c2', name: 'run', input: 'ls' },
        { type: 'custom_tool_call_output', call_id: 'c2', output: 'done' },
        { type: 'local_shell_call', call_id: 'c3', action: { type: 'exec', command: ['ls'] }, status: 'completed' },
        { type: 'local_shell_call_output', call_id: 'c3', output: 'done' },
        { type: 'image_generation_call', id: 'ig_1', result: png },
        {
          type: 'additional_tools',
          tools: [{ type: 'function', name: 'more', parameters: schema, strict: false }],
        },
      ],
      tools: [
        { type: 'function', name: 'look', description: 'd', parameters: schema, strict: true },
        { type: 'function', function: { name: 'deep', parameters: schema } },
        { type: 'custom', name: 'run', format: { type: 'grammar', syntax: 'lark', definition: 's' } },
        { type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'inner', parameters: schema }] },
        { type: 'web_search', user_location: { type: 'approximate' } },
      ],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'look' }] },
      text: { format: { type: 'json_schema', name: 'a', schema, strict: true }, verbosity: 'low' },
      reasoning: { effort: 'low', summary: 'auto' },
      metadata: { a: 'b' },
    },
  },
  messages: {
    path: '/v1/messages',
    body: {
      model: 'm',
      max_tokens: 100,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
            { type: 'document', title: 't', source: { type: 'base64', media_type: 'application/pdf', data: png } },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
            { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'words' }] } },
            { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'words' }] },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'S' },
            { type: 'redacted_thinking', data: 'R' },
            { type: 'text', text: 'Looking.' },
            { type: 'tool_use', id: 'c1', name: 'look', input: { path: 'a' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'c1',
              content: [
                { type: 'text', text: 'found' },
                { type: 'tool_reference', tool_name: 'more' },
              ],
            },
          ],
        },
      ],
      tools: [
        { name: 'look', description: 'd', input_schema: schema },
        { type: 'web_search_20250305', name: 'web_search', user_location: { type: 'approximate' } },
      ],
      tool_choice: { type: 'tool', name: 'look' },
      thinking: { type: 'enabled', budget_tokens: 2000 },
      output_config: { effort: 'low', format: { type: 'json_schema', schema } },
      metadata: { user_id: 'u' },
    },
  },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    body: {
      systemInstruction: { role: 'system', parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'Hi' },
            { inlineData: { mimeType: 'image/png', data: png }, mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' } },
            { fileData: { mimeType: 'application/pdf', fileUri: 'https://a.example/a.pdf' } },
          ],
        },
        {
          role: 'model',
          parts: [
            { text: 'Hm.', thought: true },
            { inlineData: { mimeType: 'image/png', data: png } },
            { functionCall: { id: 'c1', name: 'look', args: { path: 'a' } }, thoughtSignature: 'AA==' },
          ],
        },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                id: 'c1',
                name: 'look',
                response: { output: 'found' },
                parts: [{ inlineData: { mimeType: 'image/png', data: png } }],
              },
            },
          ],
        },
      ],
      tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: schema }] }, { googleSearch: {} }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look'] } },
      generationConfig: {
        responseMimeType: 'application/json',
        responseJsonSchema: schema,
        thinkingConfig: { thinkingBudget: 100, includeThoughts: true },
      },
      labels: { a: 'b' },
    },
  },
}

/** Gemini's members are read in camel case, however they come. */
const spellings = /x_vendor_thing|xVendorThing/

/** Adds the seals decoded: those of a model's texts in history are carried encoded. */
const decoded = (text: string): string =>
  text + [...text.matchAll(/onward\.1\.([\w-]+)/g)].map(([, data = '']) => Buffer.from(data, 'base64url')).join('')

describe.each(wireProtocols)('an unknown member of a request of %s', (protocol) => {
  const { path, body } = requests[protocol]
  const read = (value: unknown) => conversionOf[protocol].readRequest(asObject(value) ?? {}, { path })

  it('is in no request that holds what is known', () => {
    expect(read(body).unread.filter((name) => name.includes(stray))).toEqual([])
  })

  it.each(withStray(body, () => false))('is carried or recorded at “$path”', ({ value }) => {
    const { unread, ...carried } = read(value)
    const told = [...unread, decoded(JSON.stringify(carried))].some((text) => spellings.test(text))
    expect(told).toBe(true)
  })
})
