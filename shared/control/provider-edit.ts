/** Data that the form of one provider reads. It holds no key's value, except one that is being set. */
import type { ProviderType, RouteCategory } from '../config/names.ts'
import type { ProviderConfig } from '../config/schema.ts'

/** US dollars per million tokens, as the config's `price` has them */
export type ModelPrice = NonNullable<ProviderConfig['models'][string]['price']>

export interface ModelDetails {
  id: string
  contextWindow: number | null
  vision: boolean | null
  thinking: boolean | null
  /** as the config names it; null: it names none */
  price: ModelPrice | null
}

export interface KeyDetails {
  alias: string
  from: 'value' | 'env' | 'secret'
  /** the environment variable it is read from */
  env: string | null
}

/** A place in a route, counted from 1. */
export interface RoutePlace {
  category: RouteCategory
  model: string
  at: number
  of: number
}

export interface ProviderDetails {
  id: string
  type: ProviderType
  /** where its calls go: its own address, or that of the preset it is named after */
  baseUrl: string | null
  /** the machine or engine that has its address and keys; absent: this one */
  via?: string
  auth: ProviderConfig['auth']
  /** in the order they are tried */
  keys: readonly KeyDetails[]
  models: readonly ModelDetails[]
  routes: readonly RoutePlace[]
  /** differs whenever the config says something else of it: an edit names the one it was made on */
  revision: string
}

/** A model as its provider lists it; null: it does not say. */
export interface ListedModel {
  id: string
  name: string | null
  contextWindow: number | null
  vision: boolean | null
  thinking: boolean | null
  price: ModelPrice | null
}

export type ProviderModels =
  /** `whole` false: it has more than were asked for */
  | { kind: 'listed'; key: string | null; tookMs: number; whole: boolean; models: readonly ListedModel[] }
  | { kind: 'failed'; key: string | null; status: number | null; code: string; message: string; said?: string | null }
