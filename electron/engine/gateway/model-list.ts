import type { AskingClient } from './paths.ts'

export interface ModelFact {
  /** what a client puts into `model` */
  id: string
  /** provider id, shown as the owner */
  owner: string
  displayName?: string
  /** epoch milliseconds; clients want one, so an unknown one is the epoch */
  createdAt?: number
}

/** A whole answer to `GET /v1/models`, in one of the shapes. */
export type ModelList =
  | { readonly data: readonly { readonly id: string }[] }
  | { readonly models: readonly { readonly name: string }[] }

/** One model of a list, as it stands there. */
export const findModel = (list: ModelList, id: string): unknown =>
  'models' in list
    ? list.models.find(({ name }) => name === `models/${id}`)
    : list.data.find((model) => model.id === id)

/**
 * Shapes: OpenAI `{object: "list", data: [{id, object: "model", created (seconds), owned_by}]}`; Anthropic
 * `{data: [{type: "model", id, display_name, created_at (RFC 3339)}], has_more, first_id, last_id}`; Google
 * `{models: [{name: "models/…", version, displayName, supportedGenerationMethods}]}` (their SDKs' types).
 */
export function modelList(asking: AskingClient, models: readonly ModelFact[]): ModelList {
  if (asking === 'openai') {
    const list = {
      object: 'list',
      data: models.map((m) => ({
        id: m.id,
        object: 'model',
        created: Math.floor((m.createdAt ?? 0) / 1000),
        owned_by: m.owner,
      })),
    }
    return list
  }
  if (asking === 'google') {
    const supportedGenerationMethods = ['generateContent', 'countTokens']
    return {
      models: models.map((m) => ({
        name: `models/${m.id}`,
        version: '001',
        displayName: m.displayName ?? m.id,
        description: `Served by ${m.owner} through Onward`,
        supportedGenerationMethods,
      })),
    }
  }
  const list = {
    data: models.map((m) => ({
      type: 'model',
      id: m.id,
      display_name: m.displayName ?? m.id,
      created_at: new Date(m.createdAt ?? 0).toISOString(),
    })),
    has_more: false,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  }
  return list
}
