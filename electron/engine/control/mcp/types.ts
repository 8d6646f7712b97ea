import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { Answer, OperationName } from '../../../../shared/operations/index.ts'
import type { Sentences } from '../../../../shared/sentences/types.ts'

/** Asks the engine for one operation. @throws OnwardError as the control API refuses it */
export type Ask = <N extends OperationName>(name: N, input: unknown) => Promise<Answer<N>>

export interface McpDeps {
  version: string
  /** as the program that asks may */
  ask: Ask
  /** as a person; only after one has said yes */
  askAsPerson: Ask
  /** it runs in a terminal of Onward's, and hears of its own session only */
  isOwn(): Promise<boolean>
  sentencesOf(language: 'en' | 'zh-CN'): Promise<Sentences>
  /** epoch milliseconds */
  now(): number
}

/** the call it is carried out for: its person is asked on the same way */
export interface Call {
  server: Server
  signal: AbortSignal
  requestId: RequestId
}
