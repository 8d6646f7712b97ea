import { isArray, isObject, stringOf, type Edit, type Span, decode } from '../../json-bytes/index.ts'
import { joined, listOf, memberEdits } from '../../json-bytes/walk.ts'
import {
  type ToolDeclaration,
  writtenOnce,
  turnsIn,
  withoutBlanks,
  type AssistantTurn,
} from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { asList, asName, asNumber, asObject, asText, type JsonObject } from '../../values.ts'
import { camelled } from '../convert/members.ts'
import { call as callOf, text as visibleText } from '../facts.ts'
import { either, listed, placeOf, requestObject, contentsIn } from '../request-lens.ts'
import { isModels, partsIn, callKey } from './restore.ts'

/** Returns functions by name, and tools that Google runs by their kind. */
export function clientTools(lens: RequestLens): string[] {
  const { body } = lens
  const functions = declarations(lens)
    .flatMap((list) => listed(body, list))
    .flatMap((declared) => stringOf(body, either(body, declared, 'name')) ?? [])
  return [...functions, ...nativeTools(lens)]
}

/** Returns the lists of functions; more than one entry of `tools` may have one. */
const declarations = (lens: RequestLens): Span[] =>
  listed(lens.body, placeOf(lens, 'tools')).flatMap(
    (tool) => either(lens.body, tool, 'functionDeclarations', 'function_declarations') ?? [],
  )

/**
 * Adds to the last list of functions, since models are known to ignore a second one
 * (https://github.com/php-llm/llm-chain/issues/379, https://github.com/tmc/langchaingo/issues/1245).
 */
export function declare(lens: RequestLens, tools: readonly ToolDeclaration[]): Edit[] {
  if (tools.length === 0) return []
  const { body } = lens
  const ours = tools.map(declaration)
  const list = declarations(lens).at(-1)
  if (list) return [behind(body, list, ours)]
  const entry = Buffer.concat([Buffer.from('{"functionDeclarations":'), listOf(ours), Buffer.from('}')])
  const at = placeOf(lens, 'tools')
  if (at && (isArray(body, at) || isObject(body, at))) return [behind(body, at, [entry])]
  return memberEdits(body, requestObject(lens), { tools: listOf([entry]) })
}

/** Adds after the last of a list, which may be one value without its brackets. */
function behind(body: Buffer, list: Span, values: readonly Buffer[]): Edit {
  if (!isArray(body, list)) return { ...list, replacement: listOf([body.subarray(list.start, list.end), ...values]) }
  const last = listed(body, list).at(-1)
  if (last) return { start: last.end, end: last.end, replacement: Buffer.concat([Buffer.from(','), ...joined(values)]) }
  return { ...list, replacement: listOf(values) }
}

/** The schema is written as it is: see convert/write-request.ts. A single tool has no member to enforce its schema. */
const declaration = writtenOnce(({ name, description, parameters }) => ({
  name,
  description,
  parametersJsonSchema: parameters,
}))

/** Finds requests that Google would refuse, or that Onward could not answer, with added tools. */
export function cannotDeclare(lens: RequestLens): string | null {
  // Its elements are not events, and rounds can't be joined in it.
  if (lens.streamForm === 'json-array') return 'a stream as a JSON list'
  const config = objectAt(lens, 'generationConfig', 'generation_config')
  if ((asNumber(config['candidateCount']) ?? 1) > 1) return 'several candidates'
  // A cached content has its own tools; Google refuses any beside it.
  if (stringAt(lens, 'cachedContent', 'cached_content') !== null) return 'cached content'
  const natives = nativeTools(lens)
  // The client sends functions of its own, so the rest of its request is known to work with functions.
  if (clientTools(lens).length > natives.length) return null
  // Google refuses functions beside its own tools, except for models that are asked to show the calls of both.
  if (natives.length > 0 && objectAt(lens, 'toolConfig', 'tool_config')['includeServerSideToolInvocations'] !== true)
    return `only tools of Google’s: ${natives.join(', ')}`
  // "Function calling with a response mime type: 'application/json' is unsupported"
  const type = asText(config['responseMimeType']) ?? plain
  if (type !== plain) return `an answer in ${type}`
  const other = asList(config['responseModalities']).find((modality) => asName(modality)?.toUpperCase() !== 'TEXT')
  return other === undefined ? null : 'an answer that is not only text'
}
const plain = 'text/plain'

function objectAt(lens: RequestLens, ...names: readonly string[]): JsonObject {
  const at = placeOf(lens, ...names)
  return camelled(asObject(at && decode(lens.body, at)) ?? {})
}

function stringAt(lens: RequestLens, ...names: readonly string[]): string | null {
  const at = placeOf(lens, ...names)
  return asName(at && decode(lens.body, at))
}

/** Returns the kinds of tools that Google runs itself: `googleSearch`, `codeExecution`, … */
function nativeTools(lens: RequestLens): string[] {
  const { body } = lens
  return listed(body, placeOf(lens, 'tools')).flatMap((at) => {
    // An entry that only has functions is long and need not be decoded.
    const functions = either(body, at, 'functionDeclarations', 'function_declarations')
    const outside = functions
      ? Buffer.concat([
          body.subarray(at.start, functions.start),
          Buffer.from('null'),
          body.subarray(functions.end, at.end),
        ])
      : body.subarray(at.start, at.end)
    const tool = camelled(asObject(decode(outside, { start: 0, end: outside.length })) ?? {})
    return Object.keys(tool).filter((name) => name !== 'functionDeclarations' && tool[name] !== null)
  })
}

/** SDKs keep a stream as one content per chunk, so neighbours are one answer. */
export const turns = (lens: RequestLens): AssistantTurn[] =>
  turnsIn(contentsIn(lens), (content) => {
    if (!isModels(lens.body, content)) return null
    const parts = partsIn(lens.body, content).map(({ value }) => value)
    return {
      text: withoutBlanks(parts.map((part) => visibleText(part) ?? '').join('')),
      calls: parts
        .map(callOf)
        .filter((call) => call !== null)
        .map(callKey),
    }
  })
