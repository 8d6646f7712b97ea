import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../../shared/words.ts'
import { countedHere, inClientsWords, isInWords, overflowIn, overflowOf, overflowWords } from './overflow.ts'
import { parseObject } from '../values.ts'

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
    'vLLM since 0.12',
    error(
      "This model's maximum context length is 65536 tokens. However, you requested 32000 output tokens and your " +
        'prompt contains 34200 input tokens, for a total of 66200 tokens. Please reduce the length of the ' +
        'input prompt or the number of requested output tokens. (parameter=input_tokens, value=34200)',
      { type: 'BadRequestError', code: 400 },
    ),
    [34200, 32000, 65536],
  ],
  [
    'vLLM, which counts no further than its window',
    error(
      "This model's maximum context length is 65536 tokens. However, you requested 32000 output tokens and your " +
        'prompt contains at least 33537 input tokens, for a total of at least 65537 tokens.',
    ),
    [33537, 32000, 65536],
  ],
  [
    'vLLM, by characters',
    error(
      "This model's maximum context length is 8192 tokens. However, you requested 64 output tokens and your prompt " +
        'contains 100000 characters (more than 81280 characters, which is the upper bound for 8128 input tokens).',
    ),
    [null, 64, 8192],
  ],
  [
    'vLLM of a long prompt',
    error('The decoder prompt (length 70000) is longer than the maximum model length of 65536.'),
    [70000, null, 65536],
  ],
  [
    'vLLM without a limit asked for',
    error('max_tokens must be at least 1, got -46771. (parameter=max_tokens, value=-46771)', {
      type: 'BadRequestError',
      code: 400,
    }),
    [null, null, null],
  ],
  [
    'SGLang, another sentence',
    { object: 'error', message: "Input length (265330) exceeds model's maximum context length (262144).", code: 400 },
    [265330, null, 262144],
  ],
  [
    'SGLang, a third one',
    { object: 'error', message: 'Input length (70000 tokens) exceeds the maximum allowed length (65535 tokens).' },
    [70000, null, 65535],
  ],
  ['DeepInfra', error('Requested input length 140000 exceeds maximum input length 131071'), [140000, null, 131071]],
  [
    'Poolside at OpenRouter',
    error('Input length 131393 exceeds the maximum allowed input length of 131040 tokens.'),
    [131393, null, 131040],
  ],
  [
    'TensorRT-LLM',
    {
      object: 'error',
      message: 'The sum of prompt length (72417.0), query length (0) should not exceed max_num_tokens (69632)',
      type: 'BadRequestError',
      code: 400,
    },
    [72417, null, 69632],
  ],
  ['llama.cpp that runs full', error('Context size has been exceeded.', { code: 500 }), [null, null, null]],
  [
    'LM Studio that runs full',
    {
      error:
        'Reached context length of 4096 tokens with model (arch: gpt-oss), but this model does not currently support ' +
        'mid-generation context overflow.',
    },
    [null, null, 4096],
  ],
  [
    'Docker Model Runner',
    error('Prompt has 5000 tokens, but the configured context size is 4096 tokens'),
    [5000, null, 4096],
  ],
  [
    'Cerebras',
    {
      message: 'Please reduce the length of the messages or completion. Current length is 69553 while limit is 65536',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
    [69553, null, 65536],
  ],
  ['Fireworks', error('The prompt is too long: 140000, model maximum context length: 131071'), [140000, null, 131071]],
  [
    'GitHub Models',
    error('Request body too large for gpt-4o model. Max size: 8000 tokens.', { code: 'tokens_limit_reached' }),
    [null, null, 8000],
  ],
  [
    'Cohere',
    {
      message:
        'too many tokens: size limit exceeded by 19296 tokens. Try using shorter or fewer inputs. The limit for this ' +
        'model is 132000 tokens.',
    },
    [null, null, 132000],
  ],
  [
    'Vertex AI',
    error(
      'Unable to submit request because the input token count is 135538 but model only supports up to 131072. Reduce ' +
        'the input token count and try again.',
      { code: 400, status: 'INVALID_ARGUMENT' },
    ),
    [135538, null, 131072],
  ],
  [
    'Amazon Nova on Bedrock',
    {
      Message:
        'The model returned the following errors: Input Tokens Exceeded: Number of input tokens exceeds maximum ' +
        'length. Please update the input to try again.',
    },
    [null, null, null],
  ],
  [
    'Bedrock',
    { message: 'Too many input tokens. Max input tokens: 128000, request input token count: 140000' },
    [140000, null, 128000],
  ],
  [
    'Cloudflare Workers AI',
    {
      success: false,
      errors: [
        {
          code: 5021,
          message:
            'AiError: The estimated number of input and maximum output tokens (35000) exceeded this model context ' +
            'window limit (24000)',
        },
      ],
    },
    [null, null, 24000],
  ],
  [
    'watsonx',
    {
      errors: [
        {
          code: 'invalid_input_argument',
          message: 'the number of input tokens 9000 cannot exceed the total tokens limit 8192 for this model',
        },
      ],
    },
    [9000, null, 8192],
  ],
  [
    'TGI',
    error('Input validation error: `inputs` must have less than 4095 tokens. Given: 5000', { type: 'validation' }),
    [5000, null, 4095],
  ],
  [
    'TGI, Together AI',
    error(
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 131073. Given: 120000 `inputs` tokens ' +
        'and 32000 `max_new_tokens`',
    ),
    [120000, 32000, 131073],
  ],
  [
    'SiliconFlow',
    { code: 20015, message: 'length of prompt_tokens (35000) must be less than max_seq_len (32768).', data: null },
    [35000, null, 32768],
  ],
  [
    'SiliconFlow with a limit',
    { code: 20015, message: 'max_total_tokens (40794) must be less than or equal to max_seq_len (32768)' },
    [null, null, 32768],
  ],
  ['BigModel', error('Prompt 超长', { code: '1261' }), [null, null, null]],
  [
    'Z.ai, another sentence',
    error('tokens in request more than max tokens allowed', { code: '1210' }),
    [null, null, null],
  ],
  [
    'DashScope, of many files',
    error('Total message token length exceed model limit (10000000 tokens).', { code: 'InvalidParameter' }),
    [null, null, 10000000],
  ],
  [
    'Volcengine Ark',
    error('Total tokens of image and text exceed max message tokens. Request id: 02', { code: 'InvalidParameter' }),
    [null, null, null],
  ],
  ['Kimi', error('Input token length too long', { type: 'invalid_request_error' }), [null, null, null]],
  ['Qianfan', error('Prompt tokens too long', { code: 'tokens_too_long' }), [null, null, null]],
  [
    'LiteLLM',
    error('litellm.BadRequestError: litellm.ContextWindowExceededError: the vendor’s words', { code: '400' }),
    [null, null, null],
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
    ['an answer’s limit at Cohere', error('too many tokens: max tokens must be less than or equal to 4096')],
    ['a limit of one token', error('max_tokens must be at least 1, got 0.')],
    ['a day’s quota', error('Too many tokens per day, please wait before trying again.')],
    ['a rate at Bedrock', error('Too many tokens, please wait before trying again.')],
    ['a page that is too large', error('Request payload size exceeds the limit: 20971520 bytes.')],
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

  it('hears of numbers that only the request has', () => {
    const said = (message: string, output: number | null, input: number) => {
      const found = overflowOf({ code: null, message })
      if (!found) throw new Error('not read')
      return overflowWords('messages', countedHere(found, { output, input }))
    }
    const window = "This model's maximum context length is 65536 tokens. However, you requested 32000 output tokens"
    const least = `${window} and your prompt contains at least 33537 input tokens, for a total of at least 65537.`
    expect(said(least, 32_000, 10)).toMatch(/exceed context limit: 33537 \+ 32000 > 65536/)
    expect(said(least, 32_000, 50_000)).toMatch(/exceed context limit: 50000 \+ 32000 > 65536/)
    expect(said(least, 32_000, 90_000)).toMatch(/^prompt is too long: 90000 tokens > 65536/)
    const exact = least.replaceAll('at least ', '')
    expect(said(exact, 32_000, 50_000)).toMatch(/exceed context limit: 33537 \+ 32000 > 65536/)
    const sum =
      'The estimated number of input and maximum output tokens (35000) exceeded this model context window limit ' +
      '(24000)'
    expect(said(sum, 20_000, 10)).toMatch(/exceed context limit: 15000 \+ 20000 > 24000/)
    expect(said(sum, null, 10)).toMatch(/^prompt is too long\. The estimated/)
  })
})
