import {
  ApiError,
  FinishReason,
  FunctionCallingConfigMode,
  GoogleGenAI,
  type Content,
  type GenerateContentConfig,
  type GenerateContentResponse,
  type Part,
} from '@google/genai'
import type { AskOptions, Picture, SdkClient, SdkFinish, SdkReply, SdkTool, Talk, TalkSettings } from './types.ts'

export const googleGenai: SdkClient = {
  name: '@google/genai',
  speaks: 'gemini',
  lacks: ['retry-after'],
  kinds: { otherwise: 'ApiError' },
  talk,
  failure: (error) =>
    error instanceof ApiError
      ? { kind: error.name, status: error.status, message: error.message, retryAfter: null }
      : null,
}

function talk({ baseUrl, key, model, system, fetch }: TalkSettings): Talk {
  // Without an explicit choice the SDK reads GOOGLE_* from the environment.
  const google = new GoogleGenAI({
    apiKey: key,
    vertexai: false,
    httpOptions: { baseUrl, ...(fetch ? { fetch } : {}) },
  })
  const contents: Content[] = []
  return {
    user(text, picture) {
      contents.push({ role: 'user', parts: [{ text }, ...(picture ? [imageOf(picture)] : [])] })
    },
    results(results) {
      contents.push({
        role: 'user',
        parts: results.map(({ call, text, isError, picture }) => ({
          functionResponse: {
            ...(call.id === '' ? {} : { id: call.id }),
            name: call.name,
            response: isError ? { error: text } : { output: text },
            ...(picture ? { parts: [imageOf(picture)] } : {}),
          },
        })),
      })
    },
    async ask(options) {
      const body = {
        model,
        contents,
        config: { ...(system === undefined ? {} : { systemInstruction: system }), ...settings(options) },
      }
      const chunks = options.stream
        ? await streamed(await google.models.generateContentStream(body), options)
        : [await google.models.generateContent(body)]
      const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
      contents.push({ role: 'model', parts })
      return replyOf(chunks, parts)
    },
  }
}

const imageOf = ({ mediaType, base64 }: Picture) => ({ inlineData: { mimeType: mediaType, data: base64 } })

const settings = ({ tools, schema, thinking, stop, maxTokens }: AskOptions): GenerateContentConfig => ({
  ...(tools
    ? {
        tools: [{ functionDeclarations: tools.map(toolOf) }],
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
      }
    : {}),
  ...(schema ? { responseMimeType: 'application/json', responseJsonSchema: schema } : {}),
  ...(thinking ? { thinkingConfig: { includeThoughts: true, thinkingBudget: 2000 } } : {}),
  ...(stop ? { stopSequences: [...stop] } : {}),
  ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
})

const toolOf = ({ name, description, parameters }: SdkTool) => ({ name, description, parametersJsonSchema: parameters })

async function streamed(
  stream: AsyncIterable<GenerateContentResponse>,
  { onText }: AskOptions,
): Promise<GenerateContentResponse[]> {
  const chunks: GenerateContentResponse[] = []
  for await (const chunk of stream) {
    chunks.push(chunk)
    for (const part of chunk.candidates?.[0]?.content?.parts ?? []) if (part.text && !part.thought) onText?.(part.text)
  }
  return chunks
}

function finishOf(reason: FinishReason | undefined, called: boolean): SdkFinish {
  switch (reason) {
    case FinishReason.STOP:
      return called ? 'tool-calls' : 'stop'
    case FinishReason.MAX_TOKENS:
      return 'length'
    case FinishReason.SAFETY:
    case FinishReason.PROHIBITED_CONTENT:
      return 'content-filter'
    default:
      throw new Error(`finishReason ${String(reason)}`)
  }
}

function replyOf(chunks: readonly GenerateContentResponse[], parts: readonly Part[]): SdkReply {
  const texts = (thought: boolean): string =>
    parts.map((p) => ((p.thought ?? false) === thought ? (p.text ?? '') : '')).join('')
  const calls = parts.flatMap(({ functionCall: call }) =>
    call ? [{ id: call.id ?? '', name: call.name ?? '', input: call.args ?? {} }] : [],
  )
  const usage = chunks.findLast((chunk) => chunk.usageMetadata)?.usageMetadata
  const reasoning = usage?.thoughtsTokenCount ?? 0
  return {
    text: texts(false),
    thinking: texts(true),
    calls,
    finish: finishOf(
      chunks.findLast((chunk) => chunk.candidates?.[0]?.finishReason)?.candidates?.[0]?.finishReason,
      calls.length > 0,
    ),
    usage: {
      input: usage?.promptTokenCount ?? -1,
      cachedInput: usage?.cachedContentTokenCount ?? 0,
      output: (usage?.candidatesTokenCount ?? -1) + reasoning,
      reasoning,
    },
  }
}
