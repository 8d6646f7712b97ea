import type { EntryProtocol } from '../../../shared/words.ts'
import { chatTakeOver } from './chat/take-over/index.ts'
import { geminiTakeOver } from './gemini/take-over/index.ts'
import { messagesTakeOver } from './messages/take-over/index.ts'
import { responsesTakeOver } from './responses/take-over/index.ts'
import type { TakeOver } from './take-over/types.ts'

export type {
  AssistantTurn,
  CallResult,
  HiddenCall,
  HiddenHistory,
  HiddenNames,
  PlacedCall,
  RoundFilter,
  RoundSaid,
  TakeOver,
  ToolDeclaration,
} from './take-over/types.ts'
export { tokenScan } from './take-over/token-scan.ts'
export { withoutBlanks } from './take-over/types.ts'

const takeOvers: Readonly<Record<EntryProtocol, TakeOver>> = {
  chat: chatTakeOver,
  responses: responsesTakeOver,
  messages: messagesTakeOver,
  gemini: geminiTakeOver,
}

export const takeOverOf = (entry: EntryProtocol): TakeOver => takeOvers[entry]
