import { isArray, isObject, stringOf, type Edit, type Span } from '../../json-bytes/index.ts'
import { joined, listOf, memberEdits } from '../../json-members.ts'
import { type ToolDeclaration, writtenOnce } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { either, listed } from '../request-lens.ts'
import { placeOf, requestObject } from '../request-place.ts'
import { nativeTools } from './native-tools.ts'

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

/** The schema is written as it is: see convert/write-tools.ts. A single tool has no member to enforce its schema. */
const declaration = writtenOnce(({ name, description, parameters }) => ({
  name,
  description,
  parametersJsonSchema: parameters,
}))
