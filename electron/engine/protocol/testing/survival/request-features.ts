import type { WireProtocol } from '../../canonical/request.ts'
import type { JsonObject } from '../../values.ts'

/** A feature that a request can have, and a way to find it in the provider's request. */
export interface RequestFeature {
  /** the first cell of its row */
  name: string
  /** members of the request's body, for each protocol that has the feature */
  said: Partial<Record<WireProtocol, JsonObject>>
  /** found in the JSON of every request that still has the feature */
  found: RegExp | Partial<Record<WireProtocol, RegExp>>
  /** the name it is recorded by if it does not arrive; absent: it arrives everywhere */
  recorded?: RegExp
  /** models to ask instead of the usual ones */
  models?: Partial<Record<WireProtocol, string>>
  /** what a reader should know beside yes and no */
  note?: string
}

const image = 'aW1hZ2VieXRlcw=='
const pdf = 'JVBERi1ieXRlcw=='
const sound = 'c291bmRieXRlcw=='
const schema = {
  type: 'object',
  properties: { needle: { type: 'string' } },
  required: ['needle'],
  additionalProperties: false,
}

const userParts = (chat: unknown, responses: unknown, messages: unknown, gemini: unknown) => ({
  ...(chat ? { chat: { messages: [{ role: 'user', content: [chat] }] } } : {}),
  ...(responses ? { responses: { input: [{ role: 'user', content: [responses] }] } } : {}),
  ...(messages ? { messages: { messages: [{ role: 'user', content: [messages] }] } } : {}),
  ...(gemini ? { gemini: { contents: [{ role: 'user', parts: [gemini] }] } } : {}),
})

/** Returns a call and its result. */
const loop = (result: { chat?: unknown; responses?: unknown; messages?: object; gemini?: object }) => ({
  ...(result.chat === undefined
    ? {}
    : {
        chat: {
          messages: [
            { role: 'user', content: 'hi' },
            {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"needle"}' } }],
            },
            { role: 'tool', tool_call_id: 'c1', content: result.chat },
          ],
          tools: [{ type: 'function', function: { name: 'look', parameters: schema } }],
        },
      }),
  ...(result.responses === undefined
    ? {}
    : {
        responses: {
          input: [
            { role: 'user', content: 'hi' },
            { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"at":"needle"}' },
            { type: 'function_call_output', call_id: 'c1', output: result.responses },
          ],
          tools: [{ type: 'function', name: 'look', parameters: schema, strict: false }],
        },
      }),
  ...(result.messages === undefined
    ? {}
    : {
        messages: {
          messages: [
            { role: 'user', content: 'hi' },
            { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { at: 'needle' } }] },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', ...result.messages }] },
          ],
          tools: [{ name: 'look', input_schema: schema }],
        },
      }),
  ...(result.gemini === undefined
    ? {}
    : {
        gemini: {
          contents: [
            { role: 'user', parts: [{ text: 'hi' }] },
            { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'look', args: { at: 'needle' } } }] },
            { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'look', ...result.gemini } }] },
          ],
          tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: schema }] }],
        },
      }),
})

const tools = {
  chat: { type: 'function', function: { name: 'look' } },
  responses: { type: 'function', name: 'look', strict: false },
}

/** In the order of the table. */
export const requestFeatures: readonly RequestFeature[] = [
  {
    name: 'system and developer texts',
    said: {
      chat: {
        messages: [
          { role: 'developer', content: 'needle' },
          { role: 'user', content: 'hi' },
        ],
      },
      responses: { instructions: 'needle' },
      messages: { system: 'needle' },
      gemini: { systemInstruction: { parts: [{ text: 'needle' }] } },
    },
    found: /needle/,
  },
  {
    name: 'system texts in the middle of a conversation',
    said: {
      chat: {
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: 'ho' },
          { role: 'system', content: 'needle' },
          { role: 'user', content: 'go' },
        ],
      },
      responses: {
        input: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: 'ho' },
          { role: 'developer', content: 'needle' },
          { role: 'user', content: 'go' },
        ],
      },
    },
    found: /needle/,
    note: 'as words of the user but for Responses, models of OpenAI over Chat, and newer Claude models',
  },
  {
    name: 'images',
    said: userParts(
      { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } },
      { type: 'input_image', image_url: `data:image/png;base64,${image}` },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } },
      { inlineData: { mimeType: 'image/png', data: image } },
    ),
    found: new RegExp(image),
  },
  {
    name: 'documents (PDF)',
    said: userParts(
      { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` } },
      { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf } },
      { inlineData: { mimeType: 'application/pdf', data: pdf } },
    ),
    found: new RegExp(pdf),
  },
  {
    name: 'sound',
    recorded: /^audio$/,
    said: userParts({ type: 'input_audio', input_audio: { data: sound, format: 'wav' } }, null, null, {
      inlineData: { mimeType: 'audio/wav', data: sound },
    }),
    found: new RegExp(sound),
  },
  {
    name: 'tools, calls, results',
    said: loop({ chat: 'ok', responses: 'ok', messages: { content: 'ok' }, gemini: { response: { output: 'ok' } } }),
    found: /needle.*needle/s,
  },
  {
    name: 'failed results',
    recorded: /is_?error$/i,
    said: loop({
      messages: { content: 'no such file', is_error: true },
      gemini: { response: { error: 'no such file' } },
    }),
    found: { messages: /"is_error":true/, gemini: /"error":"no such file"/ },
    note: 'Chat and Responses have no member for it: the words say it',
  },
  {
    name: 'images in results',
    said: loop({
      responses: [{ type: 'input_image', image_url: `data:image/png;base64,${image}` }],
      messages: { content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } }] },
      gemini: { response: { output: 'ok' }, parts: [{ inlineData: { mimeType: 'image/png', data: image } }] },
    }),
    found: new RegExp(image),
    note: 'Chat: in a message behind the results',
  },
  {
    name: 'freeform tools (`apply_patch`)',
    said: {
      chat: { tools: [{ type: 'custom', custom: { name: 'needle' } }] },
      responses: { tools: [{ type: 'custom', name: 'needle' }] },
    },
    found: /"name":"needle"/,
    note: 'Messages and Gemini: as functions of one text, and back',
  },
  {
    name: 'namespaces of tools',
    said: {
      responses: {
        tools: [
          {
            type: 'namespace',
            name: 'group',
            description: 'g',
            tools: [{ type: 'function', name: 'needle', parameters: schema, strict: false }],
          },
        ],
      },
    },
    found: /"name":"group__needle"/,
    note: 'joined to the name, and back',
  },
  {
    name: 'web search that the vendor runs',
    recorded: /^tools(?:\[\])?\.(?:web_search|googleSearch)/,
    said: {
      chat: { web_search_options: {} },
      responses: { tools: [{ type: 'web_search' }] },
      messages: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      gemini: { tools: [{ googleSearch: {} }] },
    },
    models: { chat: 'gpt-4o-search-preview' },
    found: /web_search|googleSearch/,
    note:
      'for models that have one, elsewhere the model is told; Chat: OpenAI’s search models and Perplexity; ' +
      'Gemini: not beside functions',
  },
  {
    name: '… what it is restricted to (domains, uses)',
    recorded: /^(?:web_search\.|tools(?:\[\])?\.(?:web_search|googleSearch))/,
    said: {
      responses: { tools: [{ type: 'web_search', filters: { allowed_domains: ['needle.test'] } }] },
      messages: { tools: [{ type: 'web_search_20250305', name: 'web_search', allowed_domains: ['needle.test'] }] },
    },
    found: /needle\.test/,
  },
  {
    name: 'a tool that must be called',
    said: {
      chat: { tools: [tools.chat], tool_choice: tools.chat },
      responses: { tools: [tools.responses], tool_choice: { type: 'function', name: 'look' } },
      messages: {
        tools: [{ name: 'look', input_schema: { type: 'object' } }],
        tool_choice: { type: 'tool', name: 'look' },
      },
      gemini: {
        tools: [{ functionDeclarations: [{ name: 'look' }] }],
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look'] } },
      },
    },
    found:
      /"tool_choice":\{[^[\]]*"look"|"allowedFunctionNames":\["look"\]|"tool_choice":\{"type":"allowed_tools"|"tool_choice":(?:\{"type":"any"\}|"required")/,
  },
  {
    name: 'one call at a time',
    recorded: /^parallelTools$/,
    said: {
      chat: { tools: [tools.chat], parallel_tool_calls: false },
      responses: { tools: [tools.responses], parallel_tool_calls: false },
      messages: {
        tools: [{ name: 'look', input_schema: { type: 'object' } }],
        tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      },
    },
    found: /"parallel_tool_calls":false|"disable_parallel_tool_use":true/,
  },
  {
    name: 'effort or thinking budget',
    said: {
      chat: { reasoning_effort: 'low' },
      responses: { reasoning: { effort: 'low' } },
      messages: { thinking: { type: 'enabled', budget_tokens: 4096 } },
      gemini: { generationConfig: { thinkingConfig: { thinkingBudget: 4096 } } },
    },
    found: /effort|budget|thinkingLevel/i,
    note: 'the nearest that the model takes',
  },
  {
    name: 'response schema',
    said: {
      chat: { response_format: { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } } },
      responses: { text: { format: { type: 'json_schema', name: 'a', schema, strict: true } } },
      messages: { output_config: { format: { type: 'json_schema', schema } } },
      gemini: { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema } },
    },
    found: /needle/,
  },
  {
    name: 'JSON without a schema',
    recorded: /^format$/,
    said: {
      chat: { response_format: { type: 'json_object' } },
      responses: { text: { format: { type: 'json_object' } } },
      gemini: { generationConfig: { responseMimeType: 'application/json' } },
    },
    found: /json_object|application\/json/,
  },
  {
    name: 'stop sequences',
    recorded: /^stop$/,
    said: {
      chat: { stop: ['needle'] },
      messages: { stop_sequences: ['needle'] },
      gemini: { generationConfig: { stopSequences: ['needle'] } },
    },
    found: /needle/,
    note: 'Chat: four of them, Gemini: five',
  },
  {
    name: 'temperature, `top_p`',
    said: {
      chat: { temperature: 0.3, top_p: 0.7 },
      responses: { temperature: 0.3, top_p: 0.7 },
      messages: { temperature: 0.3, top_p: 0.7 },
      gemini: { generationConfig: { temperature: 0.3, topP: 0.7 } },
    },
    found: /0\.3/,
    models: { responses: 'gpt-4.1' },
    note: 'as far as the model takes them',
  },
  {
    name: '`top_k`',
    recorded: /^top_?k$/i,
    said: { messages: { top_k: 37 }, gemini: { generationConfig: { topK: 37 } } },
    found: /"top_?[kK]":37/,
  },
  {
    name: 'seed, penalties',
    recorded: /^seed$/,
    said: {
      chat: { seed: 37, frequency_penalty: 0.37, presence_penalty: 0.37 },
      gemini: { generationConfig: { seed: 37, frequencyPenalty: 0.37, presencePenalty: 0.37 } },
    },
    found: /"seed":37/,
  },
  {
    name: 'cache marks',
    recorded: /^cache_control$/,
    said: {
      messages: {
        messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }] }],
      },
    },
    found: /cache_control|prompt_cache_breakpoint/,
    models: { chat: 'gpt-5.6' },
    note: 'of OpenAI the newer models take them; for Messages they are set where a client can’t',
  },
  {
    name: 'log probabilities',
    recorded: /^logprobs$/,
    said: {
      chat: { logprobs: true, top_logprobs: 3 },
      responses: { top_logprobs: 3, include: ['message.output_text.logprobs'] },
      gemini: { generationConfig: { responseLogprobs: true, logprobs: 3 } },
    },
    found: /logprobs/i,
    note: 'asked for, but no answer carries them across; reasoning models of OpenAI refuse them',
  },
]
