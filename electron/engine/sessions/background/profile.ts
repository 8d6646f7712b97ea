import type { BackgroundWork } from '../../../../shared/background.ts'

/**
 * How a client's requests show that work of its session goes on in the background, as data. Facts were measured with
 * unmodified clients against a scripted upstream, or read in their packages where that is said.
 */
export interface BackgroundProfile {
  /** `named`: members of the call's arguments that say what it is, the first one that is there */
  starts: readonly (WorkSign & { kind: BackgroundWork['kind']; named?: readonly string[] })[]
  ends: readonly WorkSign[]
  /**
   * calls that set a sub-agent to work which is known by its own requests alone, and the result of one that did; the
   * first of those requests may come after the main agent has stopped
   */
  delegates?: { tools: readonly string[]; done: RegExp }
  /** words of which at least one is in the bytes of every start, as every JSON writer writes them */
  traces: readonly string[]
}

/** Expressions are global. Their group `id` names the work, the group `what` says what it is. */
export type WorkSign =
  /** in a text that the client itself wrote into a user message, or put between messages */
  | { text: RegExp }
  /** in the result of a call to one of these tools; `id`: the member of its arguments that names the work */
  | { tools: readonly string[]; result: RegExp; id?: string }
