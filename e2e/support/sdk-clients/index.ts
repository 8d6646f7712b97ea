import { aiAnthropic, aiCompatible } from './ai-sdk.ts'
import { anthropicSdk } from './anthropic.ts'
import { googleGenai } from './google.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import type { SdkClient } from './types.ts'

export type { AskOptions, Lack, Picture, SdkCall, SdkClient, SdkReply, SdkTool, Talk } from './types.ts'

export const sdkClients: readonly SdkClient[] = [
  openaiChat,
  openaiResponses,
  anthropicSdk,
  googleGenai,
  aiCompatible,
  aiAnthropic,
]
