import Anthropic from '@anthropic-ai/sdk'
import type { AskOptions, Picture, SdkClient, SdkFinish, SdkReply, SdkTool, Talk, TalkSettings } from './types.ts'

export const anthropicSdk: SdkClient = {
  name: '@anthropic-ai/sdk',
  speaks: 'anthropic',
  lacks: [],
  kinds: {
    400: 'BadRequestError',
    401: 'AuthenticationError',
    429: 'RateLimitError',
    529: 'OverloadedError',
    otherwise: 'InternalServerError',
  },
  talk,
  failure: (error) =>
    error instanceof Anthropic.APIError
      ? {
          kind: error.constructor.name,
          status: error.status ?? null,
          message: error.message,
          retryAfter: error.headers?.get('retry-after') ?? null,
        }
      : null,
}

function talk({ baseUrl, key, model, system, fetch }: TalkSettings): Talk {
  const anthropic = new Anthropic({ baseURL: baseUrl, apiKey: key, maxRetries: 0, ...(fetch ? { fetch } : {}) })
  const messages: Anthropic.MessageParam[] = []
  return {
    user(text, picture) {
      messages.push({ role: 'user', content: picture ? [imageOf(picture), { type: 'text', text }] : text })
    },
    results(results) {
      messages.push({
        role: 'user',
        content: results.map(({ call, text, isError, picture }) => ({
          type: 'tool_result' as const,
          tool_use_id: call.id,
          ...(isError ? { is_error: true } : {}),
          content: picture ? [{ type: 'text' as const, text }, imageOf(picture)] : text,
        })),
      })
    },
    async ask(options) {
      const body = {
        model,
        max_tokens: options.maxTokens ?? 4000,
        messages,
        ...(system === undefined ? {} : { system }),
        ...settings(options),
      }
      const message = options.stream ? await streamed(anthropic, body, options) : await anthropic.messages.create(body)
      messages.push({ role: 'assistant', content: message.content })
      return replyOf(message)
    },
  }
}

const imageOf = ({ mediaType, base64 }: Picture): Anthropic.ImageBlockParam => ({
  type: 'image',
  source: { type: 'base64', media_type: mediaType, data: base64 },
})

const settings = ({
  tools,
  schema,
  thinking,
  stop,
}: AskOptions): Partial<Anthropic.MessageCreateParamsNonStreaming> => ({
  ...(tools ? { tools: tools.map(toolOf) } : {}),
  ...(schema ? { output_config: { format: { type: 'json_schema' as const, schema: { ...schema } } } } : {}),
  ...(thinking ? { thinking: { type: 'enabled' as const, budget_tokens: 2000 } } : {}),
  ...(stop ? { stop_sequences: [...stop] } : {}),
})

const toolOf = ({ name, description, parameters }: SdkTool): Anthropic.Tool => ({
  name,
  description,
  input_schema: { type: 'object', ...parameters },
})

async function streamed(
  anthropic: Anthropic,
  body: Anthropic.MessageCreateParamsNonStreaming,
  { onText }: AskOptions,
): Promise<Anthropic.Message> {
  const stream = anthropic.messages.stream(body)
  if (onText) stream.on('text', onText)
  return stream.finalMessage()
}

function finishOf(reason: Anthropic.Message['stop_reason']): SdkFinish {
  switch (reason) {
    case 'tool_use':
      return 'tool-calls'
    case 'max_tokens':
      return 'length'
    case 'refusal':
      return 'content-filter'
    case 'end_turn':
    case 'stop_sequence':
      return 'stop'
    default:
      throw new Error(`stop_reason ${String(reason)}`)
  }
}

function replyOf({ content, stop_reason, usage }: Anthropic.Message): SdkReply {
  return {
    text: content.map((b) => (b.type === 'text' ? b.text : '')).join(''),
    thinking: content.map((b) => (b.type === 'thinking' ? b.thinking : '')).join(''),
    calls: content.flatMap((b) => (b.type === 'tool_use' ? [{ id: b.id, name: b.name, input: b.input }] : [])),
    finish: finishOf(stop_reason),
    usage: {
      input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      cachedInput: usage.cache_read_input_tokens ?? 0,
      output: usage.output_tokens,
      reasoning: usage.output_tokens_details?.thinking_tokens ?? null,
    },
  }
}
