import { asList, asObject, type JsonObject } from '../values.ts'
import { checkBlob, checkFile, checkPart } from './validate-gemini-part.ts'
import { checkGeminiTools } from './validate-gemini-tools.ts'

type Kind = 'count' | 'integer' | 'number' | 'boolean' | 'text' | 'texts' | 'object'

const rootMembers: Readonly<Record<string, Kind | 'list'>> = {
  contents: 'list',
  systemInstruction: 'object',
  tools: 'list',
  toolConfig: 'object',
  generationConfig: 'object',
  safetySettings: 'list',
  cachedContent: 'text',
  labels: 'object',
  serviceTier: 'text',
  store: 'boolean',
}
const configMembers: Readonly<Record<string, Kind>> = {
  maxOutputTokens: 'count',
  temperature: 'number',
  topP: 'number',
  topK: 'number',
  candidateCount: 'count',
  seed: 'integer',
  presencePenalty: 'number',
  frequencyPenalty: 'number',
  stopSequences: 'texts',
  responseMimeType: 'text',
  responseSchema: 'object',
  responseJsonSchema: 'object',
  responseLogprobs: 'boolean',
  logprobs: 'count',
  thinkingConfig: 'object',
  responseModalities: 'texts',
  mediaResolution: 'text',
  speechConfig: 'object',
  imageConfig: 'object',
}
const thinkingMembers: Readonly<Record<string, Kind>> = {
  thinkingBudget: 'integer',
  thinkingLevel: 'text',
  includeThoughts: 'boolean',
}

/** Checks a body of generateContent as the Gemini API documents it, in its own camel case. */
export function validateGeminiRequest(body: JsonObject): string[] {
  const problems: string[] = []
  checkMembers(body, rootMembers, '', problems)
  checkContents(body['contents'], problems)
  const system = asObject(body['systemInstruction'])
  if (
    system &&
    (asList(system['parts']).length === 0 ||
      asList(system['parts']).some((part) => typeof asObject(part)?.['text'] !== 'string'))
  )
    problems.push('systemInstruction has no texts')
  checkConfig(asObject(body['generationConfig']) ?? {}, problems)
  checkGeminiTools(body, problems)
  if (body['serviceTier'] !== undefined && !['standard', 'flex', 'priority'].includes(String(body['serviceTier'])))
    problems.push('serviceTier is unknown')
  return problems
}

function checkMembers(
  object: JsonObject,
  kinds: Readonly<Record<string, Kind | 'list'>>,
  path: string,
  problems: string[],
): void {
  for (const [name, value] of Object.entries(object)) {
    const kind = kinds[name]
    if (kind === undefined) problems.push(`${path}${name} is not documented`)
    else if (!isKind(value, kind)) problems.push(`${path}${name} is no ${kind}`)
  }
}

function isKind(value: unknown, kind: Kind | 'list'): boolean {
  switch (kind) {
    case 'count':
      return Number.isInteger(value) && Number(value) >= 0
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'text':
      return typeof value === 'string'
    case 'texts':
      return Array.isArray(value) && value.every((text) => typeof text === 'string')
    case 'list':
      return Array.isArray(value)
    case 'object':
      return asObject(value) !== null
  }
}

function checkConfig(config: JsonObject, problems: string[]): void {
  checkMembers(config, configMembers, 'generationConfig.', problems)
  if (asList(config['stopSequences']).length > 5) problems.push('generationConfig.stopSequences are more than 5')
  if (config['logprobs'] !== undefined && config['responseLogprobs'] !== true)
    problems.push('generationConfig.logprobs stands without responseLogprobs')
  const hasSchema = config['responseSchema'] !== undefined || config['responseJsonSchema'] !== undefined
  if (hasSchema && config['responseMimeType'] !== 'application/json')
    problems.push('generationConfig has a schema without responseMimeType application/json')
  if (config['responseSchema'] !== undefined && config['responseJsonSchema'] !== undefined)
    problems.push('generationConfig has two schemas')
  const thinking = asObject(config['thinkingConfig'])
  if (!thinking) return
  checkMembers(thinking, thinkingMembers, 'generationConfig.thinkingConfig.', problems)
  if (thinking['thinkingBudget'] !== undefined && thinking['thinkingLevel'] !== undefined)
    problems.push('generationConfig.thinkingConfig has both a budget and a level')
  if (
    thinking['thinkingLevel'] !== undefined &&
    !['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'].includes(String(thinking['thinkingLevel']))
  )
    problems.push('generationConfig.thinkingConfig.thinkingLevel is unknown')
}

function checkContents(value: unknown, problems: string[]): void {
  const contents = asList(value)
  if (contents.length === 0) problems.push('contents are missing')
  let calls: JsonObject[] = []
  for (const [i, entry] of contents.entries()) {
    const content = asObject(entry) ?? {}
    const at = `contents[${i}]`
    const { role } = content
    if (role !== 'user' && role !== 'model') problems.push(`${at}.role is neither user nor model`)
    for (const name in content)
      if (name !== 'role' && name !== 'parts') problems.push(`${at}.${name} is not documented`)
    const parts = asList(content['parts']).map((part) => asObject(part) ?? {})
    if (parts.length === 0) problems.push(`${at}.parts are missing`)
    for (const part of parts) {
      checkPart(part, `${at}.parts[]`, problems)
      if (part['text'] === '' && part['thoughtSignature'] === undefined) problems.push(`${at}.parts[].text is empty`)
      if ('functionCall' in part && role === 'user') problems.push(`${at} has a functionCall of the user`)
      if ('functionResponse' in part && role === 'model') problems.push(`${at} has a functionResponse of the model`)
      if ('functionResponse' in part) checkResult(asObject(part['functionResponse']) ?? {}, calls, at, problems)
    }
    calls = []
    for (const part of parts) {
      const call = asObject(part['functionCall'])
      if (call) calls.push(call)
    }
  }
}

/** After a content with calls Google wants the results of just these calls. */
function checkResult(result: JsonObject, calls: readonly JsonObject[], at: string, problems: string[]): void {
  for (const name in result)
    if (!['id', 'name', 'response', 'parts', 'willContinue', 'scheduling'].includes(name))
      problems.push(`${at}.functionResponse.${name} is not documented`)
  if (typeof result['name'] !== 'string' || result['name'] === '')
    problems.push(`${at}.functionResponse.name is missing`)
  if (!asObject(result['response'])) problems.push(`${at}.functionResponse.response is no object`)
  const answered = calls.some((call) => call['name'] === result['name'] && call['id'] === result['id'])
  if (!answered) problems.push(`${at}.functionResponse answers no call of the content before`)
  for (const part of asList(result['parts'])) {
    const piece = asObject(part) ?? {}
    if ('inlineData' in piece) checkBlob(piece['inlineData'], `${at}.functionResponse.parts[].inlineData`, problems)
    else if ('fileData' in piece) checkFile(piece['fileData'], `${at}.functionResponse.parts[].fileData`, problems)
    else problems.push(`${at}.functionResponse.parts[] is no data`)
  }
}
