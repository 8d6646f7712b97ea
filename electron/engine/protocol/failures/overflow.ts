/**
 * A context window that is full. Vendors say it in many words, and each client acts on its own vendor's alone: Claude
 * Code lowers `max_tokens` or compacts, Codex and others compact. Here it is recognised, and said in the client's
 * words.
 */
import type { EntryProtocol } from '../../../../shared/words.ts'
import { kindOfFailure, overflowCode } from './failure-kinds.ts'
import { errorIn } from '../observe/peek.ts'
import { asName, asNumber, asObject, asObjects, asText, parseObject, type JsonObject } from '../values.ts'

/** In tokens; null: the vendor did not say. */
export interface Overflow {
  input: number | null
  /** asked for as the answer's limit */
  output: number | null
  /** the context window */
  limit: number | null
  /** the vendor stopped counting the input there */
  atLeast?: true
  /** input and output together, where the vendor says no more of them */
  total?: number
  /** the vendor's own words */
  message: string
}

/** Codes and types that mean nothing else. */
const codes = new Set([
  overflowCode,
  // gateways, LiteLLM
  'context_window_exceeded',
  'contextwindowexceedederror',
  // GitHub Copilot
  'model_max_prompt_tokens_exceeded',
  // llama.cpp
  'exceed_context_size_error',
  // Z.ai, also as a finish reason
  'model_context_window_exceeded',
  // Z.ai and BigModel, whose words for it are Chinese or English
  '1261',
  // GitHub Models
  'tokens_limit_reached',
])

/**
 * Words that mean nothing else. Collected from Claude Code 2.1.332 and opencode, which read most of them by themselves,
 * and from public reports; each is said to be of the vendor named above it.
 */
const phrases: readonly RegExp[] = [
  // Anthropic, also on Vertex AI and Bedrock; Fireworks; without `is` Z.ai and Ollama
  /\bprompt (?:is )?too long\b/i,
  /input length and `max_tokens` exceed context limit/i,
  // Bedrock: `Input is too long for requested model.`, and Amazon's own models there
  /\binput is too long for requested model/i,
  /\bnumber of input tokens exceeds maximum length/i,
  /\btoo many input tokens\. max input tokens: \d/i,
  // OpenAI, Azure, DeepSeek, OpenRouter, vLLM, SGLang, Mistral, Fireworks
  /\bmaximum context (?:length|limit)\b/i,
  /\bmaximum model length\b/i,
  // gateways and LiteLLM, which keep a vendor's code in their own words
  /\bcontext[_ ]?(?:length|window)[_ ]?exceeded/i,
  // OpenAI: Responses, and newer models over Chat
  /\bexceeds? the (?:model['’]s )?context window\b/i,
  /\binput tokens exceed the configured limit\b/i,
  // vLLM since 0.11: `the model's context length is only 65536 tokens`
  /\bcontext length (?:is|of) only \d/i,
  // vLLM and what is made of it, where the client sets no limit: what is left of the window is less than nothing
  /\bmax_(?:completion_|new_)?tokens must be at least 1, got -\d/i,
  // SGLang, DeepInfra, Poolside, Volcengine Ark
  /\binput length\b[^.]*\bexceeds? (?:the )?(?:model['’]s )?maximum\b/i,
  /\btotal tokens of image and text exceed max message tokens\b/i,
  // Gemini, also on Vertex AI
  /\binput token count\b.*\bexceeds the maximum number of tokens allowed/i,
  /\binput token count is \d+ but (?:the )?model only supports up to \d/i,
  // xAI
  /\bmaximum prompt length is \d/i,
  // Groq, Cerebras
  /\breduce the length of the messages\b/i,
  // GitHub Copilot, GitHub Models
  /\bprompt token count of \d+ exceeds the limit of \d/i,
  /\brequest body too large for .{1,80} model\. max size: \d+ tokens/i,
  // llama.cpp, and LM Studio, Docker Model Runner and others around it
  /\bexceeds the available context size\b/i,
  /\bcontext size has been exceeded\b/i,
  /\bbut the configured context size is \d/i,
  // LM Studio
  /\btokens when context the overflows\b/i,
  /\bgreater than the context length\b/i,
  /\breached context length of \d/i,
  // Ollama
  /\binput length exceeds the (?:maximum )?context length\b/i,
  // Moonshot
  /\bexceeded model token limit\b/i,
  /\binput token length too long\b/i,
  // DashScope (Qwen)
  /\brange of input length should be\b/i,
  /\btotal message token length exceed model limit\b/i,
  // MiniMax
  /\bcontext window exceeds limit\b/i,
  // Z.ai, BigModel
  /\bprompt exceeds max length\b/i,
  /\btokens in request more than max tokens allowed\b/i,
  /\bprompt ?超长/i,
  // Together AI, Novita
  /\blonger than the model['’]s context length\b/i,
  // TGI, also at Together AI
  /`inputs` tokens \+ `max_new_tokens` must be/i,
  /`inputs` must have less than \d/i,
  // SiliconFlow
  /\bmust be less than (?:or equal to )?max_seq_len\b/i,
  // Cloudflare Workers AI
  /\bexceeded this model context window limit\b/i,
  // Cohere, which says `too many tokens` of the answer's limit, too
  /\btoo many tokens: (?:size limit exceeded|the total number of tokens in the prompt)/i,
  // TensorRT-LLM
  /\bshould not exceed max_(?:num_tokens|seq_len)\b/i,
  // Baidu Qianfan
  /\bprompt tokens too long\b/i,
  // watsonx
  /\bnumber of input tokens \d+ cannot exceed the total tokens limit\b/i,
]

const inputs: readonly RegExp[] = [
  /prompt is too long: ([\d,]+)/i,
  /exceed context limit: ([\d,]+) \+/i,
  /([\d,]+) (?:tokens )?(?:in the messages|in your prompt|in the prompt|from the input messages)/i,
  /(?:resulted in|passed|your request has|the request contains|Prompt contains|prompt token count of) ([\d,]+)\b(?! char)/i,
  /your prompt contains (?:at least )?([\d,]+) input tokens/i,
  /input token count (?:is )?\(?([\d,]+)/i,
  /input length (?:\(|of )?([\d,]+)/i,
  /(?:request|input) \(([\d,]+) tokens\)/i,
  /prompt \(length ([\d,]+)\)/i,
  /prompt_tokens \(([\d,]+)\)/i,
  /Prompt has ([\d,]+) tokens/i,
  /Current length is ([\d,]+)/i,
  /number of input tokens ([\d,]+)/i,
  /request input token count: ([\d,]+)/i,
  /sum of prompt length \(([\d,]+)/i,
  /token limit: [\d,]+ \(requested: ([\d,]+)\)/i,
  /the first ([\d,]+) tokens when context/i,
  /Given: ([\d,]+) `inputs`/i,
  /`inputs` must have less than [\d,]+ tokens\. Given: ([\d,]+)/i,
]
/** OpenRouter counts an input by its kinds. */
const partsOfInput = /([\d,]+) of \w+ input/gi
/** vLLM since 0.12 counts no further than the window. */
const counting = /prompt contains at least [\d,]+ input tokens/i
const outputs: readonly RegExp[] = [
  /exceed context limit: [\d,]+ \+ ([\d,]+)/i,
  /([\d,]+) (?:tokens )?(?:in the completion|for the completion|in the output|output tokens)/i,
  /max_(?:completion_)?tokens['`]? is too large: ([\d,]+)/i,
  /([\d,]+) `max_new_tokens`/i,
]
const limits: readonly RegExp[] = [
  /prompt is too long: [\d,]+ tokens > ([\d,]+)/i,
  /exceed context limit: [\d,]+ \+ [\d,]+ > ([\d,]+)/i,
  /(?:context length|context limit|prompt length|model length) (?:is|of) (?:only )?\(?([\d,]+)/i,
  /(?:context length|model length)(?: \(|: )([\d,]+)/i,
  /(?:configured limit of|exceeds the limit of|token limit:|must be <=) ([\d,]+)/i,
  /context (?:size|length) (?:\(|is )([\d,]+) tokens/i,
  /maximum number of tokens allowed \(?([\d,]+)/i,
  /exceeds (?:the )?maximum (?:allowed )?(?:input )?length (?:of |\()?([\d,]+)/i,
  /model only supports up to ([\d,]+)/i,
  /too large for model with ([\d,]+)/i,
  /input length should be \[\d+, ?(\d+)\]/i,
  /max size: ([\d,]+) tokens/i,
  /while limit is ([\d,]+)/i,
  /context window limit \(([\d,]+)\)/i,
  /exceed model limit \(([\d,]+)/i,
  /total tokens limit ([\d,]+)/i,
  /max input tokens: ([\d,]+)/i,
  /max_(?:num_tokens|seq_len) \(([\d,]+)\)/i,
  /`inputs` must have less than ([\d,]+)/i,
  /the limit for this model is ([\d,]+)/i,
]
const totals: readonly RegExp[] = [
  /requested (?:a total of |about )?([\d,]+) tokens/i,
  /maximum output tokens \(([\d,]+)\)/i,
  /max_total_tokens \(([\d,]+)\)/i,
]

const numberIn = (patterns: readonly RegExp[], text: string): number | null => {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined) return counted(found)
  }
  return null
}
const counted = (digits: string): number => Number(digits.replaceAll(',', ''))

/** Returns what a failure says of a full context window; null: it is about something else. */
export function overflowOf(error: { code: string | null; message: string | null }): Overflow | null {
  const { code } = error
  const message = (error.message ?? '').slice(0, 4_000)
  const names = code !== null && codes.has(code.toLowerCase())
  // A rate limit is another matter, however large the request was.
  if (!names && (kindOfFailure(code ?? '') === 'rate' || !phrases.some((phrase) => phrase.test(message)))) return null
  const output = numberIn(outputs, message)
  const total = numberIn(totals, message)
  const parts = [...message.matchAll(partsOfInput)].reduce((sum, [, part = '']) => sum + counted(part), 0)
  return completed({
    input: numberIn(inputs, message) ?? (parts > 0 ? parts : null),
    output,
    limit: numberIn(limits, message),
    message,
    ...(counting.test(message) ? { atLeast: true as const } : {}),
    ...(total === null ? {} : { total }),
  })
}

/** Finds input or output by the total and the other of them. */
function completed(overflow: Overflow): Overflow {
  const { input, output, total = null } = overflow
  if (total === null) return overflow
  return {
    ...overflow,
    input: input ?? (output === null ? null : Math.max(0, total - output)),
    output: output ?? (input !== null && total > input ? total - input : null),
  }
}

/**
 * The same with what is known here: the output that the client asked for, and an estimate of the input for vendors that
 * stop counting it at their window. By their number alone Claude Code lowers `max_tokens` a little each time, and gives
 * up before it fits.
 */
export function countedHere(overflow: Overflow, asked: { output: number | null; input: number }): Overflow {
  const whole = completed({ ...overflow, output: overflow.output ?? asked.output })
  return whole.atLeast && whole.input !== null ? { ...whole, input: Math.max(whole.input, asked.input) } : whole
}

/** The same for an error's body, or for the events of a stream that begins with the error. */
export function overflowIn(body: Buffer): Overflow | null {
  const text = body.toString('utf8', 0, mostBytes)
  const events = /^\s*[{[]/.test(text) ? [text] : [...text.matchAll(/^data:(.*)$/gm)].map(([, data = '']) => data)
  for (const json of events) {
    const found = overflowInValue(parseObject(Buffer.from(json.replace(/^\s*\[(.*)\]\s*$/s, '$1'))))
    if (found) return found
  }
  return null
}
const mostBytes = 64 * 1024

export function overflowInValue(value: JsonObject | null): Overflow | null {
  if (!value) return null
  const holder = asObject(value['response']) ?? value
  const error = asObject(holder['error'])
  const said = errorIn(holder) ?? errorIn({ error: asObjects(value['errors'])[0] })
  const type = asName(error?.['type'])
  const found = overflowOf({
    // llama.cpp's code is a status, its type says what it is.
    code: type !== null && codes.has(type.toLowerCase()) ? type : (said?.code ?? asName(value['code'])),
    message: said?.message ?? asText(value['message']) ?? asText(value['Message']) ?? asText(value['detail']),
  })
  // OpenRouter quotes what its provider said.
  const raw = asText(asObject(error?.['metadata'])?.['raw'])
  if (!found) return raw === null ? null : overflowOf({ code: null, message: raw })
  return {
    ...found,
    input: found.input ?? asNumber(error?.['n_prompt_tokens']),
    limit: found.limit ?? asNumber(error?.['n_ctx']),
  }
}

/**
 * Tokens. Claude Code 2.1.332 lowers `max_tokens` while so many are left for the answer: 1 000 to spare, 3 000 at
 * least.
 */
const leastAnswer = 4_000

/** Returns the message of an overflow as the vendor of the client's protocol words it. */
export function overflowWords(protocol: EntryProtocol, { input, output, limit, message }: Overflow): string {
  const known = input !== null && limit !== null
  switch (protocol) {
    case 'messages':
      if (known && output !== null && input + leastAnswer <= limit && input + output > limit)
        return (
          `input length and \`max_tokens\` exceed context limit: ${input} + ${output} > ${limit}, ` +
          'decrease input length or `max_tokens` and try again'
        )
      if (known && input > limit) return `prompt is too long: ${input} tokens > ${limit} maximum`
      // The rest is too small for an answer, so the prompt counts as too long.
      if (known && input + leastAnswer > limit)
        return `prompt is too long: ${input} tokens > ${Math.max(0, limit - leastAnswer)} maximum`
      return /prompt is too long/i.test(message) ? message : `prompt is too long. ${message}`.trim()
    case 'chat':
      if (known && output !== null && input <= limit)
        return (
          `This model's maximum context length is ${limit} tokens. However, you requested ${input + output} tokens ` +
          `(${input} in the messages, ${output} in the completion). ` +
          'Please reduce the length of the messages or completion.'
        )
      if (known)
        return (
          `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${input} ` +
          'tokens. Please reduce the length of the messages.'
        )
      return (
        "The messages exceed this model's maximum context length. Please reduce the length of the messages. " + message
      ).trim()
    case 'responses':
      return (
        'Your input exceeds the context window of this model. Please adjust your input and try again. ' + message
      ).trim()
    case 'gemini':
      return known
        ? `The input token count (${input}) exceeds the maximum number of tokens allowed ` +
            `(${input > limit ? limit : Math.max(0, limit - (output ?? leastAnswer))}).`
        : `The input token count exceeds the maximum number of tokens allowed. ${message}`.trim()
  }
}

/** True if a client of this protocol acts on the error as it came: with this status, these words. */
export function isInWords(protocol: EntryProtocol, value: JsonObject | null, status: number | null): boolean {
  if (!value || (status !== null && status !== 400)) return false
  const holder = asObject(value['response']) ?? value
  const error = asObject(holder['error']) ?? holder
  const message = asText(error['message']) ?? ''
  switch (protocol) {
    case 'messages':
      return /prompt is too long|input length and `max_tokens` exceed context limit/i.test(message)
    case 'chat':
    case 'responses':
      return error['code'] === overflowCode && asObject(holder['error']) !== null
    case 'gemini':
      return /input token count\b.*exceeds the maximum number of tokens/i.test(message)
  }
}

/** Returns the error event in the client's words. */
export function inClientsWords(protocol: EntryProtocol, value: JsonObject, overflow: Overflow): JsonObject {
  const said = { message: overflowWords(protocol, overflow), ...namesFor[protocol] }
  const holder = asObject(value['response'])
  if (holder) return { ...value, response: { ...holder, error: { code: overflowCode, message: said.message } } }
  if (value['type'] === 'error' && protocol === 'responses') return { ...value, ...said, type: 'error', error: said }
  const { object: _flat, ...rest } = asObject(value['error']) ? value : {}
  return {
    ...rest,
    ...(protocol === 'messages' ? { type: 'error' } : {}),
    error: { ...asObject(value['error']), ...said },
  }
}

const namesFor: Readonly<Record<EntryProtocol, JsonObject>> = {
  messages: { type: 'invalid_request_error' },
  chat: { type: 'invalid_request_error', param: 'messages', code: overflowCode },
  responses: { type: 'invalid_request_error', param: 'input', code: overflowCode },
  gemini: { code: 400, status: 'INVALID_ARGUMENT' },
}
