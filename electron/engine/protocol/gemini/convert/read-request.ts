import { OnwardError } from '../../../base/errors.ts'
import type { RequestPlace } from '../../canonical/codec.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import { asName, asObject, asText, type JsonObject } from '../../values.ts'
import { readGeminiPath } from '../path.ts'
import { camelled, noteUnread } from './members.ts'
import { readConfig } from './read-config.ts'
import { readContents, readSystem } from './read-contents.ts'
import { readTools } from './read-tools.ts'

const rootMembers = new Set([
  'model',
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'labels',
  'serviceTier',
])

export function readRequest(body: JsonObject, place: RequestPlace): CanonicalRequest {
  const path = readGeminiPath(place.path)
  const whole = camelled(body)
  // countTokens may wrap the request it counts
  const request = camelled(asObject(whole['generateContentRequest']) ?? whole)
  const model = path?.model ?? asName(request['model'])?.replace(/^models\//, '')
  if (model === undefined)
    throw new OnwardError(
      'bad-request',
      'The path names no model: it should read /v1beta/models/{model}:generateContent.',
      { status: 400 },
    )
  const unread = new Set<string>()
  noteUnread(request, rootMembers, '', unread)
  const { system, messages } = readContents(
    request['contents'],
    readSystem(request['systemInstruction'], unread),
    unread,
  )
  return {
    model,
    stream: path?.method === 'streamGenerateContent',
    system,
    messages,
    ...readTools(request['tools'], request['toolConfig'], unread),
    parallelTools: null,
    ...readConfig(camelled(asObject(request['generationConfig']) ?? {}), unread),
    verbosity: null,
    user: null,
    metadata: labelsOf(request['labels'], unread),
    cacheKey: null,
    serviceTier: tierOf(request['serviceTier']),
    store: null,
    includeUsage: true,
    unread: [...unread],
  }
}

function labelsOf(value: unknown, unread: Set<string>): Record<string, string> | null {
  const labels = asObject(value)
  for (const name in labels ?? {}) if (typeof labels?.[name] !== 'string') unread.add(`labels.${name}`)
  return (
    labels &&
    Object.fromEntries(
      Object.entries(labels).flatMap(([name, label]) => (typeof label === 'string' ? [[name, label]] : [])),
    )
  )
}

const tierOf = (value: unknown): string | null => {
  const tier = asText(value)?.toLowerCase() ?? null
  return tier === 'unspecified' ? null : tier
}
