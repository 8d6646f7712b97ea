import type { AskingClient } from './types.ts'

export interface ModelFact {
  /** what a client puts into `model` */
  id: string
  /** provider id, shown as the owner */
  owner: string
  displayName?: string
  /** epoch milliseconds; clients want one, so the epoch stands where nobody knows */
  createdAt?: number
}

/** A whole answer to `GET /v1/models`, in either shape. */
export interface ModelList { readonly data: readonly { readonly id: string }[] }

/**
 * Shapes: OpenAI `{object: "list", data: [{id, object: "model", created (seconds), owned_by}]}`; Anthropic
 * `{data: [{type: "model", id, display_name, created_at (RFC 3339)}], has_more, first_id, last_id}` (their SDKs' types).
 */
export function modelList(asking: AskingClient, models: readonly ModelFact[]): ModelList {
  if (asking === 'openai') {
    const list = { object: 'list', data: models.map((m) => ({ id: m.id, object: 'model', created: Math.floor((m.createdAt ?? 0) / 1000), owned_by: m.owner })) }
    return list
  }
  const list = {
    data: models.map((m) => ({ type: 'model', id: m.id, display_name: m.displayName ?? m.id, created_at: new Date(m.createdAt ?? 0).toISOString() })),
    has_more: false,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  }
  return list
}
