import type { ConversionCodec } from './canonical/codec.ts'
import type { WireProtocol } from './canonical/request.ts'
import { chatConversion } from './chat/convert/index.ts'
import { geminiConversion } from './gemini/convert/index.ts'
import { messagesConversion } from './messages/convert/index.ts'
import { responsesConversion } from './responses/convert/index.ts'

export const conversionOf: Readonly<Record<WireProtocol, ConversionCodec>> = {
  chat: chatConversion,
  responses: responsesConversion,
  messages: messagesConversion,
  gemini: geminiConversion,
}
