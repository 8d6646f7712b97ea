export {
  convertToBody,
  convertToStream,
  type AnswerConversion,
  type BodyConverter,
  type StreamConverter,
  type WholeAnswer,
} from './convert-answer.ts'
export { asJsonList } from './json-list.ts'
export { readCanonical, writeCanonical, type ConvertedRequest } from './convert-request.ts'
export { withoutForeignSeals } from './foreign-seals.ts'
export type { CanonicalRequest, WireProtocol } from './request.ts'
