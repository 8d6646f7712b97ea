export { carriedTexts, type CarriedTexts } from './carried-texts.ts'
export type { CitationsSetting } from './sources/append-sources.ts'
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
export { lossName } from './loss-names.ts'
export { restoring, type AdaptedTools } from './tools/adapt-tools.ts'
export type { CanonicalRequest, WireProtocol } from './request.ts'
