/** Vercel's `ai` with two of its providers: one conversation loop, two wire protocols. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  generateText,
  jsonSchema,
  Output,
  streamText,
  tool,
  type FinishReason,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  type ToolSet,
} from 'ai'
import type { AskOptions, SdkClient, SdkFinish, SdkReply, SdkTool, Talk, TalkSettings } from './types.ts'

// Its warnings would be a third of what a run of the tests prints.
globalThis.AI_SDK_LOG_WARNINGS = false

const common: Pick<SdkClient, 'kinds' | 'failure'> = {
  kinds: { otherwise: 'AI_APICallError' },
  failure: (error) =>
    APICallError.isInstance(error)
      ? {
          kind: error.name,
          status: error.statusCode ?? null,
          message: error.message,
          retryAfter: error.responseHeaders?.['retry-after'] ?? null,
        }
      : null,
}

export const aiCompatible: SdkClient = {
  ...common,
  name: 'ai with openai-compatible',
  speaks: 'openai-chat',
  // Tool results become text; of reasoning only its text comes back, and a call's signature only to a provider that is
  // named `google`.
  lacks: ['result-picture', 'result-error', 'seals'],
  talk: (settings) =>
    talk(settings, {
      model: createOpenAICompatible({
        name: 'onward',
        baseURL: `${settings.baseUrl}/v1`,
        apiKey: settings.key,
        includeUsage: true,
        supportsStructuredOutputs: true,
        ...fetchOf(settings),
      })(settings.model),
      thinking: { onward: { reasoningEffort: 'high' } },
      always: {},
    }),
}

export const aiAnthropic: SdkClient = {
  ...common,
  name: 'ai with anthropic',
  speaks: 'anthropic',
  lacks: [],
  talk: (settings) =>
    talk(settings, {
      model: createAnthropic({ baseURL: `${settings.baseUrl}/v1`, apiKey: settings.key, ...fetchOf(settings) })(
        settings.model,
      ),
      thinking: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2000 } } },
      always: { anthropic: { structuredOutputMode: 'outputFormat' } },
    }),
}

const fetchOf = ({ fetch }: TalkSettings) => (fetch ? { fetch } : {})

type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>
interface Own {
  model: LanguageModel
  thinking: ProviderOptions
  always: ProviderOptions
}

function talk({ system }: TalkSettings, { model, thinking, always }: Own): Talk {
  const messages: ModelMessage[] = []
  return {
    user(text, picture) {
      messages.push({
        role: 'user',
        content: [
          { type: 'text', text },
          ...(picture ? [{ type: 'image' as const, image: picture.base64, mediaType: picture.mediaType }] : []),
        ],
      })
    },
    results(results) {
      messages.push({
        role: 'tool',
        content: results.map(({ call, text, isError, picture }) => ({
          type: 'tool-result' as const,
          toolCallId: call.id,
          toolName: call.name,
          output: picture
            ? {
                type: 'content' as const,
                value: [
                  { type: 'text' as const, text },
                  { type: 'image-data' as const, data: picture.base64, mediaType: picture.mediaType },
                ],
              }
            : isError
              ? { type: 'error-text' as const, value: text }
              : { type: 'text' as const, value: text },
        })),
      })
    },
    async ask(options) {
      const asked = {
        model,
        messages,
        maxRetries: 0,
        providerOptions: merged(always, options.thinking ? thinking : {}),
        ...(system === undefined ? {} : { system }),
        ...(options.tools ? { tools: toolsOf(options.tools) } : {}),
        ...(options.schema ? { output: Output.object({ schema: jsonSchema({ ...options.schema }) }) } : {}),
        ...(options.stop ? { stopSequences: [...options.stop] } : {}),
        ...(options.maxTokens === undefined ? {} : { maxOutputTokens: options.maxTokens }),
      }
      const said = options.stream ? await streamed(asked, options) : await whole(asked)
      messages.push(...said.messages)
      return said.reply
    },
  }
}

const merged = (one: ProviderOptions, other: ProviderOptions): ProviderOptions =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [name, { ...one[name], ...other[name] }]),
  )

const toolsOf = (tools: readonly SdkTool[]): ToolSet =>
  Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema({ ...parameters }) }),
    ]),
  )

interface Said {
  reply: SdkReply
  messages: readonly ModelMessage[]
}
type Asked = Parameters<typeof generateText>[0]

async function whole(asked: Asked): Promise<Said> {
  const { text, reasoningText, toolCalls, finishReason, usage, response } = await generateText(asked)
  return { messages: response.messages, reply: replyOf(text, reasoningText, toolCalls, finishReason, usage) }
}

async function streamed(asked: Asked, { onText }: AskOptions): Promise<Said> {
  // Errors come as parts of the stream; by default they are printed besides.
  const result = streamText({ ...asked, onError: () => undefined } as Parameters<typeof streamText>[0])
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') onText?.(part.text)
    if (part.type === 'error') throw part.error instanceof Error ? part.error : new Error(JSON.stringify(part.error))
  }
  const [text, reasoning, calls, finish, usage, response] = await Promise.all([
    result.text,
    result.reasoningText,
    result.toolCalls,
    result.finishReason,
    result.usage,
    result.response,
  ])
  return { messages: response.messages, reply: replyOf(text, reasoning, calls, finish, usage) }
}

function finishOf(reason: FinishReason): SdkFinish {
  if (reason === 'error' || reason === 'other') throw new Error(`finishReason ${reason}`)
  return reason
}

function replyOf(
  text: string,
  reasoning: string | undefined,
  calls: readonly { toolCallId: string; toolName: string; input: unknown; invalid?: boolean | undefined }[],
  finish: FinishReason,
  usage: LanguageModelUsage,
): SdkReply {
  const invalid = calls.find((call) => call.invalid)
  if (invalid) throw new Error(`the SDK could not read the call of ${invalid.toolName}`)
  return {
    text,
    thinking: reasoning ?? '',
    calls: calls.map(({ toolCallId: id, toolName: name, input }) => ({ id, name, input })),
    finish: finishOf(finish),
    usage: {
      input: usage.inputTokens ?? -1,
      cachedInput: usage.inputTokenDetails.cacheReadTokens ?? 0,
      output: usage.outputTokens ?? -1,
      reasoning: usage.outputTokenDetails.reasoningTokens ?? null,
    },
  }
}
