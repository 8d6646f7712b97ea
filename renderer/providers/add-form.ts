/** The form that adds a provider: its first values and its problems. Pure. */
import type { Input } from '../../shared/operations/index.ts'
import { providerPresets, presetOf, type ProviderPreset } from '../../shared/config/presets.ts'
import type { ProviderType } from '../../shared/config/schema.ts'

export interface AddForm {
  /** null: a provider at an address of its own */
  preset: string | null
  id: string
  type: ProviderType
  baseUrl: string
  auth: 'secret' | 'env' | 'client' | 'none'
  secret: string
  env: string
  models: string
}
export type AddField = 'id' | 'baseUrl' | 'secret' | 'env'
export type AddProblem = 'empty' | 'bad' | 'taken'
export type AddProblems = Partial<Record<AddField, AddProblem>>

const isLocal = (preset: ProviderPreset): boolean => /\/\/(127\.|localhost)/.test(preset.baseUrl)
export const presetGroups = {
  hosted: providerPresets.filter((p) => !isLocal(p)),
  local: providerPresets.filter(isLocal),
}

/** A preset that is not in the config yet is more likely wanted. */
export const firstPreset = (taken: readonly string[]): string | null =>
  (providerPresets.find(({ id }) => !taken.includes(id)) ?? providerPresets[0])?.id ?? null

/** @param before what was typed already; a key stays with the preset it was typed for */
export function formOf(presetId: string | null, taken: readonly string[], before?: AddForm): AddForm {
  const preset = presetId === null ? null : presetOf(presetId)
  const kept = { models: before?.models ?? '', secret: '' }
  if (!preset) return { preset: null, id: '', type: 'openai-chat', baseUrl: '', auth: 'secret', env: '', ...kept }
  return {
    preset: preset.id,
    id: freeId(preset.id, taken),
    type: preset.type,
    baseUrl: preset.baseUrl,
    auth: preset.auth === 'none' ? 'none' : 'secret',
    env: preset.keyEnv ?? '',
    ...kept,
  }
}

function freeId(id: string, taken: readonly string[]): string {
  for (let n = 2, free = id; ; free = `${id}-${n++}`) if (!taken.includes(free)) return free
}

export function checkForm(
  form: AddForm,
  taken: readonly string[],
): { ok: true; input: Input<'addProvider'> } | { ok: false; problems: AddProblems } {
  const id = form.id.trim()
  const baseUrl = form.baseUrl.trim()
  const problems: AddProblems = {}
  if (id === '') problems.id = 'empty'
  else if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) problems.id = 'bad'
  else if (taken.includes(id)) problems.id = 'taken'
  if (form.preset === null && baseUrl === '') problems.baseUrl = 'empty'
  else if (form.preset === null && !isHttpUrl(baseUrl)) problems.baseUrl = 'bad'
  if (form.auth === 'secret' && form.secret.trim() === '') problems.secret = 'empty'
  if (form.auth === 'env' && form.env.trim() === '') problems.env = 'empty'
  else if (form.auth === 'env' && !/^[A-Za-z_]\w*$/.test(form.env.trim())) problems.env = 'bad'
  if (Object.keys(problems).length > 0) return { ok: false, problems }
  return {
    ok: true,
    input: {
      id,
      preset: form.preset,
      type: form.type,
      baseUrl: form.preset === null ? baseUrl : null,
      auth: form.auth === 'secret' || form.auth === 'env' ? 'key' : form.auth,
      key:
        form.auth === 'secret' ? { secret: form.secret.trim() } : form.auth === 'env' ? { env: form.env.trim() } : null,
      models: modelsOf(form.models),
    },
  }
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

const modelsOf = (text: string): string[] => [...new Set(text.split(/[\s,;，、]+/).filter(Boolean))]
