import OpenAI from 'openai'
import { openaiFailure, openaiKinds } from './openai-errors.ts'
import type { AskOptions, Picture, SdkClient, SdkFinish, SdkReply, SdkTool, Talk, TalkSettings } from './types.ts'

type R = OpenAI.Responses.Response

/** Keeps the conversation itself, as Codex does: nothing is stored, reasoning comes back encrypted. */
export const openaiResponses: SdkClient = {
  name: 'openai Responses',
  speaks: 'openai-responses',
  lacks: ['stop', 'result-error'],
  kinds: openaiKinds,
  talk,
  failure: openaiFailure,
}

function talk({ baseUrl, key, model, system, fetch }: TalkSettings): Talk {
  const openai = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: key, maxRetries: 0, ...(fetch ? { fetch } : {}) })
  const input: OpenAI.Responses.ResponseInputItem[] = []
  return {
    user(text, picture) {
      input.push({ role: 'user', content: [{ type: 'input_text', text }, ...(picture ? [imageOf(picture)] : [])] })
    },
    results(results) {
      for (const { call, text, picture } of results)
        input.push({
          type: 'function_call_output',
          call_id: call.id,
          output: picture ? [{ type: 'input_text', text }, imageOf(picture)] : text,
        })
    },
    async ask(options) {
      const body = {
        model,
        input,
        store: false,
        include: ['reasoning.encrypted_content' as const],
        ...(system === undefined ? {} : { instructions: system }),
        ...settings(options),
      }
      const response = options.stream ? await streamed(openai, body, options) : await openai.responses.create(body)
      for (const item of response.output) input.push(item as OpenAI.Responses.ResponseInputItem)
      return replyOf(response)
    },
  }
}

const imageOf = ({ mediaType, base64 }: Picture) => ({
  type: 'input_image' as const,
  detail: 'auto' as const,
  image_url: `data:${mediaType};base64,${base64}`,
})

const settings = ({
  tools,
  schema,
  thinking,
  maxTokens,
}: AskOptions): Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming> => ({
  ...(tools ? { tools: tools.map(toolOf) } : {}),
  ...(schema
    ? { text: { format: { type: 'json_schema' as const, name: 'reply', strict: true, schema: { ...schema } } } }
    : {}),
  ...(thinking ? { reasoning: { effort: 'high' as const, summary: 'auto' as const } } : {}),
  ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
})

const toolOf = ({ name, description, parameters }: SdkTool): OpenAI.Responses.FunctionTool => ({
  type: 'function',
  name,
  description,
  parameters: { ...parameters },
  strict: false,
})

/** The events themselves, and their order; the SDK's own collector builds the same object a second time beside it. */
async function streamed(
  openai: OpenAI,
  body: OpenAI.Responses.ResponseCreateParamsNonStreaming,
  { onText }: AskOptions,
): Promise<R> {
  const stream = openai.responses.stream({ ...body, stream: true })
  let last: R | null = null
  let n = 0
  for await (const event of stream) {
    if (event.sequence_number !== n++)
      throw new Error(`event ${n - 1} has the sequence number ${event.sequence_number}`)
    if (event.type === 'response.output_text.delta') onText?.(event.delta)
    if (event.type === 'error')
      throw new OpenAI.APIError(undefined, { code: event.code, message: event.message }, undefined, undefined)
    if (event.type === 'response.failed')
      throw new OpenAI.APIError(undefined, event.response.error ?? {}, undefined, undefined)
    if (event.type === 'response.completed' || event.type === 'response.incomplete') last = event.response
  }
  if (!last) throw new Error('the stream ended without a terminal event')
  const collected = await stream.finalResponse()
  if (JSON.stringify(collected.output.map(plain)) !== JSON.stringify(last.output.map(plain)))
    throw new Error(
      `the events say ${JSON.stringify(collected.output)}, the final object ${JSON.stringify(last.output)}`,
    )
  return last
}

/** Without what the SDK adds when it collects. */
const plain = (item: OpenAI.Responses.ResponseOutputItem): unknown =>
  JSON.parse(JSON.stringify(item, (name, value: unknown) => (name.startsWith('parsed') ? undefined : value)))

function finishOf(response: R): SdkFinish {
  if (response.status === 'incomplete')
    return response.incomplete_details?.reason === 'content_filter' ? 'content-filter' : 'length'
  return response.output.some((item) => item.type === 'function_call' || item.type === 'custom_tool_call')
    ? 'tool-calls'
    : 'stop'
}

function replyOf(response: R): SdkReply {
  const { output, usage } = response
  return {
    text: output
      .flatMap((item) =>
        item.type === 'message' ? item.content.map((c) => (c.type === 'output_text' ? c.text : '')) : [],
      )
      .join(''),
    thinking: output.flatMap((item) => (item.type === 'reasoning' ? item.summary.map((s) => s.text) : [])).join(''),
    calls: output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) as unknown }]
        : [],
    ),
    finish: finishOf(response),
    usage: {
      input: usage?.input_tokens ?? -1,
      cachedInput: usage?.input_tokens_details.cached_tokens ?? -1,
      output: usage?.output_tokens ?? -1,
      reasoning: usage?.output_tokens_details.reasoning_tokens ?? -1,
    },
  }
}
