import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../shared/words.ts'
import { inClientsWords, isInWords, overflowIn, overflowOf, overflowWords } from './overflow.ts'
import { parseObject } from './values.ts'

const body = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const error = (message: string, more: object = {}) => ({ error: { message, ...more } })

/** Bodies by vendor; input, output, limit as far as they say them. */
const vendors: readonly [string, unknown, (number | null)[]][] = [
  [
    'Anthropic',
    { type: 'error', ...error('prompt is too long: 212345 tokens > 200000 maximum') },
    [212345, null, 200000],
  ],
  [
    'Anthropic, with max_tokens',
    {
      type: 'error',
      ...error('input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease'),
    },
    [190000, 32000, 200000],
  ],
  ['Bedrock', { message: 'Input is too long for requested model.' }, [null, null, null]],
  [
    'OpenAI over Chat',
    error(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 " +
        'tokens. Please reduce the length of the messages.',
      { type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
    ),
    [8545, null, 8192],
  ],
  [
    'OpenAI with a completion, DeepSeek, older vLLM',
    error(
      "This model's maximum context length is 65536 tokens. However, you requested 66200 tokens (34200 " +
        'in the messages, 32000 in the completion). Please reduce the length of the messages or completion.',
    ),
    [34200, 32000, 65536],
  ],
  [
    'OpenAI over Responses',
    error('Your input exceeds the context window of this model. Please adjust your input and try again.', {
      code: 'context_length_exceeded',
    }),
    [null, null, null],
  ],
  [
    'OpenAI, newer models',
    error('Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens.'),
    [300123, null, 272000],
  ],
  [
    'SGLang',
    {
      object: 'error',
      type: 'BadRequestError',
      message:
        "Requested token count exceeds the model's maximum context length of 65536 tokens. You requested a " +
        'total of 66200 tokens: 34200 tokens from the input messages and 32000 tokens for the completion.',
    },
    [34200, 32000, 65536],
  ],
  [
    'vLLM',
    error(
      "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length " +
        'is 65536 tokens and your request has 34200 input tokens (32000 > 65536 - 34200).',
      { type: 'BadRequestError', code: 400 },
    ),
    [34200, 32000, 65536],
  ],
  [
    'vLLM since 0.11',
    error(
      "You passed 34200 input tokens and requested 32000 output tokens. However, the model's context " +
        'length is only 65536 tokens.',
    ),
    [34200, 32000, 65536],
  ],
  [
    'llama.cpp',
    error('request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it', {
      code: 400,
      type: 'exceed_context_size_error',
      n_prompt_tokens: 9412,
      n_ctx: 8192,
    }),
    [9412, null, 8192],
  ],
  [
    'older llama.cpp',
    error('the request exceeds the available context size, try increasing it', {
      code: 500,
      type: 'exceed_context_size_error',
      n_prompt_tokens: 9412,
      n_ctx: 8192,
    }),
    [9412, null, 8192],
  ],
  [
    'LM Studio',
    {
      error:
        'Trying to keep the first 12345 tokens when context the overflows. However, the model is loaded ' +
        'with context length of only 4096 tokens.',
    },
    [12345, null, 4096],
  ],
  ['Ollama', error('prompt too long; exceeded max context length by 12 tokens'), [null, null, null]],
  [
    'GitHub Copilot',
    error('prompt token count of 130123 exceeds the limit of 128000', { code: 'model_max_prompt_tokens_exceeded' }),
    [130123, null, 128000],
  ],
  [
    'Gemini',
    error('The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).', {
      code: 400,
      status: 'INVALID_ARGUMENT',
    }),
    [1196265, null, 1048575],
  ],
  [
    'OpenRouter',
    error(
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 150000 " +
        'tokens (110000 of text input, 8000 of tool input, 32000 in the output).',
      { code: 400 },
    ),
    [118000, 32000, 131072],
  ],
  [
    'OpenRouter, quoting its provider',
    error('Provider returned error', {
      code: 400,
      metadata: { raw: '{"error":{"message":"prompt is too long: 212345 tokens > 200000 maximum"}}' },
    }),
    [212345, null, 200000],
  ],
  ['Moonshot', error('Your request exceeded model token limit: 262144 (requested: 300000)'), [300000, null, 262144]],
  [
    'DashScope',
    error('<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]', {
      code: 'invalid_parameter_error',
    }),
    [null, null, 129024],
  ],
  [
    'Mistral',
    {
      object: 'error',
      message:
        'Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
      type: 'invalid_request_prompt',
      code: '3051',
    },
    [140000, null, 131072],
  ],
  [
    'xAI',
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
    [537812, null, 131072],
  ],
  [
    'Groq',
    error('Please reduce the length of the messages or completion.', { code: 'context_length_exceeded' }),
    [null, null, null],
  ],
  ['MiniMax', { type: 'error', ...error('invalid params, context window exceeds limit (2013)') }, [null, null, null]],
  ['Z.ai', error('Prompt exceeds max length', { code: '1261' }), [null, null, null]],
  [
    'Together AI',
    error("The input (140000 tokens) is longer than the model's context length (131072 tokens)."),
    [140000, null, 131072],
  ],
  [
    'a failed response of ChatGPT',
    {
      type: 'response.failed',
      response: {
        status: 'failed',
        ...error('Your input exceeds the context window.', { code: 'context_length_exceeded' }),
      },
    },
    [null, null, null],
  ],
]

describe('a context window that is full', () => {
  it.each(vendors)('is read as %s says it', (_vendor, value, [input, output, limit]) => {
    const found = overflowIn(body(value))
    expect(found).toMatchObject({ input, output, limit })
    expect(overflowIn(Buffer.from(`event: error\ndata: ${JSON.stringify(value)}\n\n`))).toEqual(found)
    expect(overflowIn(body([value]))).toEqual(found)
  })

  it.each(vendors)('is said to every client in its own words, whoever says it: %s', (_vendor, value) => {
    const found = overflowIn(body(value))
    if (!found) throw new Error('not read')
    for (const protocol of entryProtocols) {
      const event = inClientsWords(protocol, parseObject(body(value)) ?? {}, found)
      expect(isInWords(protocol, event, null)).toBe(true)
      expect(isInWords(protocol, event, 500)).toBe(false)
      // It is read again as it was said.
      expect(overflowOf({ code: null, message: overflowWords(protocol, found) })).not.toBeNull()
    }
  })

  it.each<[string, unknown]>([
    [
      'a rate',
      error('Request too large for gpt-4o: tokens per min (TPM): Limit 30000, Requested 35364.', {
        code: 'rate_limit_exceeded',
      }),
    ],
    [
      'a rate that speaks of length',
      error('Please reduce the length of the messages.', { code: 'rate_limit_exceeded' }),
    ],
    [
      'the limit of an answer',
      error('max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens'),
    ],
    [
      'a member that is too long',
      error('Invalid user: string too long. Expected a string with maximum length 64', {
        code: 'string_above_max_length',
      }),
    ],
    ['a request’s own words', { detail: [{ loc: ['body'], input: 'prompt is too long' }] }],
    ['a tool’s name', error('tools.0.name: too long')],
    ['a page', 'prompt is too long'],
  ])('is not %s', (_what, value) => expect(overflowIn(body(value))).toBeNull())
})

describe('Claude Code', () => {
  const words = (input: number | null, output: number | null, limit: number | null) =>
    overflowWords('messages', { input, output, limit, message: 'The vendor’s words.' })

  it('lowers max_tokens where that helps, and is told of the prompt where only that is too long', () => {
    expect(words(34_200, 32_000, 65_536)).toMatch(/exceed context limit: 34200 \+ 32000 > 65536/)
    expect(words(70_000, 32_000, 65_536)).toBe('prompt is too long: 70000 tokens > 65536 maximum')
    expect(words(64_000, 32_000, 65_536)).toBe('prompt is too long: 64000 tokens > 61536 maximum')
    expect(words(34_200, null, 65_536)).toBe('prompt is too long. The vendor’s words.')
    expect(words(null, null, null)).toBe('prompt is too long. The vendor’s words.')
  })
})
