import type { EntryProtocol } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import { codecOf, serverToolCodecOf } from '../../protocol/index.ts'
import type { InternalCall } from './internal-call.ts'

/** Asks a model that searches the web by itself. `target`: `provider.model`; null: the route `webSearch`. */
export type AskSearch = (prompt: string, target: string | null, signal: AbortSignal) => Promise<{ text: string }>

export interface AskSearchDeps {
  call: InternalCall
  /** the protocol of the asked model's provider: each vendor has its own words for a search */
  speaks(target: string | null): EntryProtocol
}

const withinMs = 110_000

/** Has a model search the web, through the pipeline that every call takes. */
export function createAskSearch({ call, speaks }: AskSearchDeps): AskSearch {
  return async (prompt, target, signal) => {
    const entry = speaks(target)
    // `webSearch` names the route (router/candidates.ts)
    const model = target ?? 'webSearch'
    const { path, body } = asked[entry](model, prompt)
    signal.throwIfAborted()
    const answer = await call({ entry, path, body, kind: 'probe', withinMs })
    if (answer.error) throw answer.error
    if (answer.status === null || answer.status >= 400)
      throw new OnwardError('search-refused', `The model that searches answered with status ${answer.status}.`, {
        status: 502,
      })
    const lens = codecOf(entry).read(Buffer.from(JSON.stringify(body)), path)
    return { text: serverToolCodecOf(entry).readAnswer(answer, lens, new Set()).text }
  }
}

/**
 * Vendor tools for a search: OpenAI's `web_search_options` and `web_search`, Anthropic's `web_search_20250305`,
 * Google's `googleSearch`.
 */
const asked: Record<EntryProtocol, (model: string, prompt: string) => { path: string; body: unknown }> = {
  chat: (model, prompt) => ({
    path: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content: prompt }], web_search_options: {} },
  }),
  responses: (model, prompt) => ({
    path: '/v1/responses',
    body: { model, input: [{ role: 'user', content: prompt }], tools: [{ type: 'web_search' }], store: false },
  }),
  messages: (model, prompt) => ({
    path: '/v1/messages',
    body: {
      model,
      max_tokens: 4096,
      messages: [{ role: 'user', content: prompt }],
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }],
    },
  }),
  gemini: (model, prompt) => ({
    path: `/v1beta/models/${model}:generateContent`,
    body: { contents: [{ role: 'user', parts: [{ text: prompt }] }], tools: [{ googleSearch: {} }] },
  }),
}
