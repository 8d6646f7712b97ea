import { decode, stringOf, type Span } from '../../json-bytes/index.ts'
import { asObject, type JsonObject } from '../../values.ts'
import { either, partsOf } from '../request-lens.ts'

/** A part of a request's content, and its place. */
interface ContentPart {
  at: Span
  value: JsonObject
}

export const isModels = (body: Buffer, content: Span): boolean =>
  stringOf(body, either(body, content, 'role'))?.toLowerCase() === 'model'

export const partsIn = (body: Buffer, content: Span): ContentPart[] =>
  partsOf(body, content).map((at) => ({ at, value: asObject(decode(body, at)) ?? {} }))
