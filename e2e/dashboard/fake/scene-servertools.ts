/**
 * Tools of Onward as the scene has them: switches, what ran in one turn, and its events. For development and tests
 * only.
 */
import type { EventBody, TimelineEvent } from '../../../shared/events.ts'
import type { EngineStatus, ServertoolRun, ServertoolView } from '../../../shared/state.ts'

export type Servertools = NonNullable<EngineStatus['servertools']>

/** Each tool's own default; web_fetch was switched on. */
export const byDefault: Readonly<Record<string, boolean>> = {
  clock: true,
  continue_execution: true,
  web_fetch: false,
  web_search: false,
  build_status: true,
  vision_auto: true,
  clock_hold: true,
  empty_reply_continue: true,
}

const tool = (name: string, over: Partial<ServertoolView> = {}): ServertoolView => ({
  name,
  about: `What ${name} is for.`,
  trigger: 'tool_call',
  on: byDefault[name] ?? true,
  by: 'default',
  problem: null,
  ...over,
})

export const sceneServertools: Servertools = {
  on: true,
  by: 'default',
  tools: [
    tool('clock'),
    tool('continue_execution'),
    tool('web_fetch', { on: true, by: 'config' }),
    tool('web_search', {
      on: true,
      by: 'config',
      problem: 'No search engine is configured: set servertools.webSearch.engine.',
    }),
    // one that the dashboard has no words for
    tool('build_status', { about: 'Tells the model how the last build of the branch went.' }),
    tool('vision_auto', { trigger: 'auto', problem: 'No model is in the route “vision”.' }),
    tool('clock_hold', { trigger: 'auto' }),
    tool('empty_reply_continue', { trigger: 'auto' }),
  ],
}

export const sceneToolRuns: readonly ServertoolRun[] = [
  { tool: 'clock', round: 1, ms: 1, bytes: 96, failure: null },
  { tool: 'web_fetch', round: 1, ms: 812, bytes: 18_240, failure: null },
  { tool: 'web_fetch', round: 2, ms: 15_000, bytes: 0, failure: 'The page did not answer within 15 s.' },
]

/** The tool events of turn 39, which ended 1704 seconds before the scene. */
export function sceneToolEvents(event: (secondsAgo: number, body: EventBody) => TimelineEvent): TimelineEvent[] {
  return [
    event(1709, { type: 'servertool-called', tool: 'clock', round: 1 }),
    event(1709, { type: 'servertool-called', tool: 'web_fetch', round: 1 }),
    event(1709, { type: 'servertool-ran', tool: 'clock', round: 1, ms: 1, bytes: 96 }),
    event(1708, {
      type: 'servertool-ran',
      tool: 'web_fetch',
      round: 1,
      ms: 812,
      bytes: 18_240,
      note: 'docs.stripe.com',
    }),
    event(1708, { type: 'servertool-round', round: 2, tools: ['clock', 'web_fetch'] }),
    event(1707, { type: 'servertool-called', tool: 'web_fetch', round: 2 }),
    event(1705, {
      type: 'servertool-failed',
      tool: 'web_fetch',
      round: 2,
      ms: 1_900,
      code: 'not-found',
      message: 'The page answered 404.',
    }),
    event(1705, { type: 'servertool-round', round: 3, tools: ['web_fetch'] }),
  ]
}
