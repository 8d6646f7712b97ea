/** A provider's form: its first values, its problems and its changes. Pure. */
import type { ProviderType } from '../../../shared/config/names.ts'
import type {
  KeyDetails,
  ListedModel,
  ModelDetails,
  ModelPrice,
  ProviderDetails,
} from '../../../shared/control/provider-edit.ts'
import type { KeyEdit, ModelEdit } from '../../../shared/operations/providers.ts'
import type { Input } from '../../../shared/operations/index.ts'
import { countOf, parseCount } from '../count.ts'

export type PriceField = keyof ModelPrice
const everyPriceField: Readonly<Record<PriceField, true>> = {
  input: true,
  cachedInput: true,
  cacheWrite: true,
  cacheWriteHour: true,
  output: true,
}
export const priceFields = Object.keys(everyPriceField) as readonly PriceField[]

export interface KeyDraft {
  /** stays while the row is edited */
  row: number
  /** as the config has it; null: a new one */
  kept: KeyDetails | null
  alias: string
  from: 'kept' | 'secret' | 'env'
  secret: string
  env: string
  /** its fields are shown */
  open: boolean
}
export interface ModelDraft {
  id: string
  contextWindow: string
  vision: boolean | null
  thinking: boolean | null
  price: Readonly<Record<PriceField, string>>
}
export interface Draft {
  name: string
  type: ProviderType
  baseUrl: string
  auth: ProviderDetails['auth']
  keys: readonly KeyDraft[]
  models: readonly ModelDraft[]
}

export const draftOf = (details: ProviderDetails): Draft => ({
  name: details.id,
  type: details.type,
  baseUrl: details.baseUrl ?? '',
  auth: details.auth,
  keys: details.keys.map((kept, row) => ({
    row,
    kept,
    alias: kept.alias,
    from: 'kept',
    secret: '',
    env: kept.env ?? '',
    open: false,
  })),
  models: details.models.map(modelDraft),
})

export const modelDraft = (model: Omit<ModelDetails, 'price'> & { price: ModelPrice | null }): ModelDraft => ({
  id: model.id,
  contextWindow: model.contextWindow === null ? '' : countOf(model.contextWindow),
  vision: model.vision,
  thinking: model.thinking,
  price: priceDraft(model.price),
})
export const priceDraft = (price: ModelPrice | null): ModelDraft['price'] => {
  const of = (field: PriceField): string => (price?.[field] === undefined ? '' : String(price[field]))
  return {
    input: of('input'),
    cachedInput: of('cachedInput'),
    cacheWrite: of('cacheWrite'),
    cacheWriteHour: of('cacheWriteHour'),
    output: of('output'),
  }
}
/** With the facts the provider lists about it. */
export const listedDraft = (model: ListedModel): ModelDraft => modelDraft(model)
export const bareModel = (id: string): ModelDraft =>
  modelDraft({ id, contextWindow: null, vision: null, thinking: null, price: null })

/** The first key of a provider is its `main`. */
export function newKey(keys: readonly KeyDraft[]): KeyDraft {
  const row = Math.max(-1, ...keys.map((key) => key.row)) + 1
  const taken = (alias: string) => keys.some((key) => key.alias === alias)
  const alias = taken('main') ? (taken('spare') ? `key-${row + 1}` : 'spare') : 'main'
  return { row, kept: null, alias, from: 'secret', secret: '', env: '', open: true }
}

/** `name`, `baseUrl`, `key 0 alias`, `model glm-5 price`: one field of the form */
export type FieldId = string
export const keyField = (row: number, field: 'alias' | 'secret' | 'env'): FieldId => `key ${row} ${field}`
export const modelField = (id: string, field: 'contextWindow' | 'price'): FieldId => `model ${id} ${field}`
export type FieldProblem =
  | 'nameEmpty'
  | 'nameBad'
  | 'nameTaken'
  | 'urlEmpty'
  | 'urlBad'
  | 'aliasEmpty'
  | 'aliasTaken'
  | 'secretEmpty'
  | 'secretBad'
  | 'envEmpty'
  | 'envBad'
  | 'countBad'
  | 'priceBad'
  | 'priceHalf'
export type Problems = ReadonlyMap<FieldId, FieldProblem>

export function problemsOf(draft: Draft, base: ProviderDetails, taken: readonly string[]): Problems {
  const found: [FieldId, FieldProblem | null][] = [
    ['name', nameProblem(draft.name.trim(), base.id, taken)],
    ['baseUrl', base.via === undefined ? urlProblem(draft.baseUrl.trim()) : null],
    ...draft.keys.flatMap((key) => keyProblems(key, draft.keys)),
    ...draft.models.flatMap((model): [FieldId, FieldProblem | null][] => [
      [modelField(model.id, 'contextWindow'), countIn(model.contextWindow) === 'bad' ? 'countBad' : null],
      [modelField(model.id, 'price'), priceProblem(model.price)],
    ]),
  ]
  return new Map(found.flatMap(([field, problem]) => (problem === null ? [] : [[field, problem]])))
}

function nameProblem(name: string, id: string, taken: readonly string[]): FieldProblem | null {
  if (name === '') return 'nameEmpty'
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) return 'nameBad'
  return name !== id && taken.includes(name) ? 'nameTaken' : null
}

const urlProblem = (url: string): FieldProblem | null =>
  url === '' ? 'urlEmpty' : URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? null : 'urlBad'

function keyProblems(key: KeyDraft, keys: readonly KeyDraft[]): [FieldId, FieldProblem | null][] {
  const alias = key.alias.trim()
  const twice = keys.some((other) => other.row < key.row && other.alias.trim() === alias)
  const secret = key.secret.trim()
  const env = key.env.trim()
  return [
    [keyField(key.row, 'alias'), alias === '' ? 'aliasEmpty' : twice ? 'aliasTaken' : null],
    [
      keyField(key.row, 'secret'),
      key.from !== 'secret' ? null : secret === '' ? 'secretEmpty' : /^[\x21-\x7e]+$/.test(secret) ? null : 'secretBad',
    ],
    [
      keyField(key.row, 'env'),
      key.from !== 'env' ? null : env === '' ? 'envEmpty' : /^[A-Za-z_]\w*$/.test(env) ? null : 'envBad',
    ],
  ]
}

/** null: empty */
function countIn(text: string): number | null | 'bad' {
  if (text.trim() === '') return null
  const count = parseCount(text)
  return count === null || count === 0 ? 'bad' : count
}

function dollarsIn(text: string): number | null | 'bad' {
  const said = text.trim().replace(/^\$/, '').replace(',', '.')
  if (said === '') return null
  const dollars = Number(said)
  return Number.isFinite(dollars) && dollars >= 0 ? dollars : 'bad'
}

function priceProblem(price: ModelDraft['price']): FieldProblem | null {
  const values = priceFields.map((field) => dollarsIn(price[field]))
  if (values.includes('bad')) return 'priceBad'
  const some = values.some((value) => value !== null)
  return some && (dollarsIn(price.input) === null || dollarsIn(price.output) === null) ? 'priceHalf' : null
}

/** The changes for the engine; null: none. For a draft without problems. */
export function changeOf(draft: Draft, base: ProviderDetails): Input<'updateProvider'> | null {
  const change: Omit<Input<'updateProvider'>, 'provider' | 'revision'> = {}
  const name = draft.name.trim()
  const baseUrl = draft.baseUrl.trim()
  if (name !== base.id) change.name = name
  if (draft.type !== base.type) change.type = draft.type
  if (baseUrl !== (base.baseUrl ?? '')) change.baseUrl = baseUrl
  if (draft.auth !== base.auth) change.auth = draft.auth
  const keys = draft.keys.map(keyEdit)
  if (keys.length !== base.keys.length || keys.some(({ was, alias, from }) => was !== alias || from !== null))
    change.keys = keys
  const models = draft.models.map(modelEdit)
  if (JSON.stringify(models) !== JSON.stringify(draftOf(base).models.map(modelEdit))) change.models = models
  return Object.keys(change).length === 0 ? null : { provider: base.id, revision: base.revision, ...change }
}

function keyEdit({ kept, alias, from, secret, env }: KeyDraft): KeyEdit {
  const source =
    from === 'secret' ? { secret: secret.trim() } : from === 'env' && env !== kept?.env ? { env: env.trim() } : null
  return { was: kept?.alias ?? null, alias: alias.trim(), from: source }
}

function modelEdit({ id, contextWindow, vision, thinking, price }: ModelDraft): ModelEdit {
  const count = countIn(contextWindow)
  const said = priceFields.flatMap((field) => {
    const dollars = dollarsIn(price[field])
    return typeof dollars === 'number' ? [[field, dollars] as const] : []
  })
  return {
    id,
    contextWindow: count === 'bad' ? null : count,
    vision,
    thinking,
    price: said.length === 0 ? null : Object.fromEntries(said),
  }
}

/** The field of the form that a refusal of the engine is about; null: none of them. */
export function fieldAt(path: string, draft: Draft): FieldId | null {
  const name = draft.name.trim()
  const own = [`providers.${name}.`].find((start) => path.startsWith(start))
  if (own === undefined) return path === `providers.${name}` ? 'name' : null
  const rest = path.slice(own.length)
  if (rest === 'baseUrl') return 'baseUrl'
  const key = /^keys\.(\d+)/.exec(rest)?.[1]
  const row = key === undefined ? undefined : draft.keys[Number(key)]?.row
  if (row !== undefined) return keyField(row, 'alias')
  for (const { id } of draft.models) {
    if (rest === `models.${id}.contextWindow`) return modelField(id, 'contextWindow')
    if (rest.startsWith(`models.${id}.price`)) return modelField(id, 'price')
  }
  return null
}
