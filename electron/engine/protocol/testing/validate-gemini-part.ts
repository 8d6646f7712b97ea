import { asObject, type JsonObject } from '../values.ts'

/** The one member of a part that is its data (Part is a union). */
export const dataMembers = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
] as const
const besides = new Set(['thought', 'thoughtSignature', 'videoMetadata', 'mediaResolution', 'partMetadata'])
const functionName = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/

export function checkPart(part: JsonObject, at: string, problems: string[]): void {
  const data = dataMembers.filter((name) => name in part)
  if (data.length !== 1) problems.push(`${at} has ${data.length} kinds of data`)
  for (const name in part)
    if (!besides.has(name) && !dataMembers.some((known) => known === name))
      problems.push(`${at}.${name} is not documented`)
  if ('text' in part && typeof part['text'] !== 'string') problems.push(`${at}.text is no text`)
  if ('thought' in part && typeof part['thought'] !== 'boolean') problems.push(`${at}.thought is no boolean`)
  const signature = part['thoughtSignature']
  if (signature !== undefined && (typeof signature !== 'string' || !base64.test(signature)))
    problems.push(`${at}.thoughtSignature is not base64`)
  if ('functionCall' in part) checkCall(asObject(part['functionCall']) ?? {}, at, problems)
  if ('inlineData' in part) checkBlob(part['inlineData'], `${at}.inlineData`, problems)
  if ('fileData' in part) checkFile(part['fileData'], `${at}.fileData`, problems)
}

function checkCall(call: JsonObject, at: string, problems: string[]): void {
  for (const name in call)
    if (!['id', 'name', 'args'].includes(name)) problems.push(`${at}.functionCall.${name} is not documented`)
  if (typeof call['name'] !== 'string' || !functionName.test(call['name']))
    problems.push(`${at}.functionCall.name is no function name`)
  if (!asObject(call['args'])) problems.push(`${at}.functionCall.args is no object`)
  if (call['id'] !== undefined && (typeof call['id'] !== 'string' || call['id'] === ''))
    problems.push(`${at}.functionCall.id is no text`)
}

export function checkBlob(value: unknown, at: string, problems: string[]): void {
  const blob = asObject(value) ?? {}
  for (const name in blob)
    if (!['mimeType', 'data', 'displayName'].includes(name)) problems.push(`${at}.${name} is not documented`)
  if (typeof blob['mimeType'] !== 'string' || !/^[\w.+-]+\/[\w.+*-]+/.test(blob['mimeType']))
    problems.push(`${at}.mimeType is no media type`)
  if (typeof blob['data'] !== 'string' || !/^[A-Za-z0-9+/_=-]*$/.test(blob['data']))
    problems.push(`${at}.data is not base64`)
}

export function checkFile(value: unknown, at: string, problems: string[]): void {
  const file = asObject(value) ?? {}
  for (const name in file)
    if (!['mimeType', 'fileUri', 'displayName'].includes(name)) problems.push(`${at}.${name} is not documented`)
  if (typeof file['fileUri'] !== 'string' || file['fileUri'] === '') problems.push(`${at}.fileUri is missing`)
  if (file['mimeType'] !== undefined && typeof file['mimeType'] !== 'string') problems.push(`${at}.mimeType is no text`)
}

/** Checks a part of an answer. Empty text is only allowed in the last chunk, or with a signature. */
export function checkCandidatePart(
  part: JsonObject,
  { isLast, callIds, at, problems }: { isLast: boolean; callIds: Set<string>; at: string; problems: string[] },
): void {
  checkPart(part, `${at}.parts[]`, problems)
  if ('functionResponse' in part) problems.push(`${at}.parts[] is a functionResponse, which only the client sends`)
  if (part['text'] === '' && !isLast && part['thoughtSignature'] === undefined)
    problems.push(`${at}.parts[] has neither text nor a signature`)
  const id = asObject(part['functionCall'])?.['id']
  if (typeof id !== 'string') return
  if (callIds.has(id)) problems.push(`${at}.functionCall.id ${id} came before`)
  callIds.add(id)
}
