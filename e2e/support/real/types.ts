import type { Delivery, MockReply, MockRequest } from '../mock-upstream/index.ts'
import type { Key } from '../agent-driver.ts'

/** What is a real agent's own, as data: how it is started, how its screen looks, which keys it takes. */
export interface RealAgent {
  client: 'claude' | 'codex' | 'gemini' | 'opencode' | 'qwen'
  name: string
  /** what the mocked provider speaks: the agent's own protocol, so that what it sends goes through as it is */
  provider: 'anthropic' | 'gemini' | 'openai-chat' | 'openai-responses'
  /**
   * A home that trusts these folders, has no onboarding left and calls nobody. Its files are written once: an agent
   * that runs changes them.
   * @returns its environment
   */
  seedHome(home: string, projects: readonly string[]): Record<string, string>
  /** What one start has for itself, where two that share everything of a home get into each other's way. */
  ownOfStart?(home: string, name: string): Record<string, string>
  /** arguments every start has */
  args: readonly string[]
  /** its composer is there and nothing runs; a draft may stand in it */
  isIdle(screen: string): boolean
  /** It asks a person before it does what the model wants. */
  dialog: {
    /** the model wants a file made */
    reply(file: string): MockReply
    shows: RegExp
    /** what a person presses to let it */
    yes: readonly Key[]
  }
  /** takes a draft of one line out of the composer, as a person does */
  clear: readonly Key[]
  /** what it says after Esc, where that has to be pressed twice to break off what it does */
  escAgain?: RegExp
  /** what a person types to leave it, and to compact the conversation */
  quit: string
  compact: string
  /** asks again by itself when an answer breaks off in the middle */
  retriesCutStreams: boolean
  subAgent: {
    /** the agent asks the person before it sends one */
    asksFirst: boolean
    /** the main turn ends while it still works */
    background: boolean
    /** the model sends a sub-agent */
    reply(errand: string): MockReply
    /** whether a request is that sub-agent's */
    is(request: MockRequest, errand: string): boolean
    /** what ends its work */
    answer(text: string, delivery: Delivery): MockReply
  }
}
