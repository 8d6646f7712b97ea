import type { EntryProtocol } from '../../../shared/words.ts'
import { chatServerTools } from './chat/server-tools/index.ts'
import { geminiServerTools } from './gemini/server-tools/index.ts'
import { messagesServerTools } from './messages/server-tools/index.ts'
import { responsesServerTools } from './responses/server-tools/index.ts'
import type { ServerToolCodec } from './server-tools/types.ts'

export type {
  AssistantTurn,
  CallResult,
  HiddenCall,
  HiddenHistory,
  HiddenNames,
  PlacedCall,
  RoundFilter,
  RoundSaid,
  ServerToolCodec,
  ToolDeclaration,
} from './server-tools/types.ts'
export { tokenScan } from './server-tools/types.ts'
export { withoutBlanks } from './server-tools/types.ts'

const codecs: Readonly<Record<EntryProtocol, ServerToolCodec>> = {
  chat: chatServerTools,
  responses: responsesServerTools,
  messages: messagesServerTools,
  gemini: geminiServerTools,
}

export const serverToolCodecOf = (entry: EntryProtocol): ServerToolCodec => codecs[entry]
