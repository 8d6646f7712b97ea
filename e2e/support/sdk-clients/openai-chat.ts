import OpenAI from 'openai'
import { openaiFailure, openaiKinds } from './openai-errors.ts'
import type { AskOptions, SdkClient, SdkFinish, SdkReply, SdkTool, Talk, TalkSettings } from './types.ts'

type Message = OpenAI.ChatCompletionMessageParam
type Delta = OpenAI.ChatCompletionChunk.Choice.Delta

/** Members that providers add to Chat, and that agents keep and hand back (DeepSeek, OpenRouter). */
interface Extras {
  reasoning_content?: string | null
  reasoning_details?: unknown[]
}
type Said = OpenAI.ChatCompletionMessage & Extras

export const openaiChat: SdkClient = {
  name: 'openai Chat',
  speaks: 'openai-chat',
  lacks: ['result-picture', 'result-error'],
  kinds: openaiKinds,
  talk,
  failure: openaiFailure,
}

function talk({ baseUrl, key, model, system, fetch }: TalkSettings): Talk {
  const openai = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: key, maxRetries: 0, ...(fetch ? { fetch } : {}) })
  const messages: Message[] = system === undefined ? [] : [{ role: 'system', content: system }]
  return {
    user(text, picture) {
      messages.push({
        role: 'user',
        content: picture
          ? [
              { type: 'text', text },
              { type: 'image_url', image_url: { url: `data:${picture.mediaType};base64,${picture.base64}` } },
            ]
          : text,
      })
    },
    results(results) {
      for (const { call, text } of results) messages.push({ role: 'tool', tool_call_id: call.id, content: text })
    },
    async ask(options) {
      const body = { model, messages, ...settings(options) }
      const completion = options.stream
        ? await streamed(openai, body, options)
        : await openai.chat.completions.create(body)
      const choice = completion.choices[0]
      if (!choice) throw new Error('the answer has no choice')
      messages.push(choice.message)
      return replyOf(choice, completion.usage)
    },
  }
}

const settings = ({
  tools,
  schema,
  thinking,
  stop,
  maxTokens,
}: AskOptions): Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> => ({
  ...(tools ? { tools: tools.map(toolOf) } : {}),
  ...(schema
    ? {
        response_format: {
          type: 'json_schema' as const,
          json_schema: { name: 'reply', strict: true, schema: { ...schema } },
        },
      }
    : {}),
  ...(thinking ? { reasoning_effort: 'high' as const } : {}),
  ...(stop ? { stop: [...stop] } : {}),
  ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
})

const toolOf = ({ name, description, parameters }: SdkTool): OpenAI.ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters: { ...parameters } },
})

/**
 * Collects the pieces as agents do that care for reasoning; the SDK's own collector keeps the last piece of members it
 * does not know.
 */
async function streamed(
  openai: OpenAI,
  body: OpenAI.ChatCompletionCreateParamsNonStreaming,
  { onText }: AskOptions,
): Promise<{ choices: { message: Said; finish_reason: Finish }[]; usage?: OpenAI.CompletionUsage | undefined }> {
  const message: Said & { content: string } = { role: 'assistant', content: '', refusal: null }
  const calls: OpenAI.ChatCompletionMessageFunctionToolCall[] = []
  let finish: Finish | null = null
  let usage: OpenAI.CompletionUsage | undefined
  for await (const chunk of await openai.chat.completions.create({
    ...body,
    stream: true,
    stream_options: { include_usage: true },
  })) {
    usage = chunk.usage ?? usage
    const choice = chunk.choices[0]
    if (!choice) continue
    const delta: Delta & Extras = choice.delta
    if (delta.content) {
      message.content += delta.content
      onText?.(delta.content)
    }
    if (delta.reasoning_content) message.reasoning_content = (message.reasoning_content ?? '') + delta.reasoning_content
    if (delta.reasoning_details)
      message.reasoning_details = [...(message.reasoning_details ?? []), ...delta.reasoning_details]
    for (const piece of delta.tool_calls ?? []) addCall(calls, piece)
    finish = choice.finish_reason ?? finish
  }
  if (finish === null) throw new Error('the stream ended without a finish_reason')
  return {
    choices: [{ message: calls.length > 0 ? { ...message, tool_calls: calls } : message, finish_reason: finish }],
    usage,
  }
}

function addCall(
  calls: OpenAI.ChatCompletionMessageFunctionToolCall[],
  { index, id, function: f, type: _type, ...extras }: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall,
): void {
  const call = (calls[index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } })
  Object.assign(call, extras)
  if (id) call.id = id
  call.function.name += f?.name ?? ''
  call.function.arguments += f?.arguments ?? ''
}

type Finish = OpenAI.ChatCompletion.Choice['finish_reason']
const finishes: Readonly<Record<Finish, SdkFinish>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
}

function replyOf(
  { message, finish_reason }: { message: Said; finish_reason: Finish },
  usage: OpenAI.CompletionUsage | undefined,
): SdkReply {
  return {
    text: message.content ?? '',
    thinking: message.reasoning_content ?? '',
    calls: (message.tool_calls ?? []).map((c) =>
      c.type === 'function'
        ? { id: c.id, name: c.function.name, input: JSON.parse(c.function.arguments) as unknown }
        : { id: c.id, name: c.custom.name, input: c.custom.input },
    ),
    finish: finishes[finish_reason],
    usage: {
      input: usage?.prompt_tokens ?? -1,
      cachedInput: usage?.prompt_tokens_details?.cached_tokens ?? -1,
      output: usage?.completion_tokens ?? -1,
      reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? -1,
    },
  }
}
