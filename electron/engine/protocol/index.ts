import type { EntryProtocol } from '../../../shared/words.ts'
import { chatCodec } from './chat/codec.ts'
import { geminiCodec } from './gemini/codec.ts'
import { messagesCodec } from './messages/codec.ts'
import { responsesCodec } from './responses/codec.ts'
import type { EntryCodec } from './types.ts'

export { modelEdits } from './edit-request.ts'
export { userTextEdits } from './edit-request.ts'
export { splice, splicedPieces, type Edit } from './json-bytes/index.ts'
export { mayHoldMarker } from './edit-request.ts'

const codecs: Record<EntryProtocol, EntryCodec> = {
  chat: chatCodec,
  responses: responsesCodec,
  messages: messagesCodec,
  gemini: geminiCodec,
}

export const codecOf = (entry: EntryProtocol): EntryCodec => codecs[entry]
