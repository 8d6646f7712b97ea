import { mostCostDays, type CostView } from '../cost/cost.ts'
import type { TimelineEvent } from '../events.ts'
import type { LogPage } from '../log-page.ts'
import type { ReportView } from '../report.ts'
import type { Said } from '../said.ts'
import type { ActivityView, SessionView, TurnRecord } from '../state.ts'
import { id, instant, switchOf, takes } from './operation.ts'

export const activityHours = [24, 168, 720] as const

/** What is kept of turns, events and the log. */
export const recordOperations = {
  timeline: takes((z) =>
    z.object({
      session: id(z).nullable(),
      beforeSeq: z.number().int().optional(),
      limit: z.number().int().min(1).max(500).default(100),
    }),
  ).query<readonly TimelineEvent[]>(),
  /** where something was said, newest first, in one session or all */
  findSaid: takes((z) =>
    z.object({
      words: z.string().trim().min(1).max(200),
      session: id(z).nullable().default(null),
      limit: z.number().int().min(1).max(200).default(50),
    }),
  ).query<readonly Said[]>(),
  turns: takes((z) => z.number().int().min(1).max(1000)).query<readonly TurnRecord[]>(),
  /** @throws OnwardError `turn-unknown` */
  turn: takes(id).query<TurnRecord>(),
  activity: takes((z) => z.literal(activityHours)).query<ActivityView>(),
  /** what was spent today, or in so many days with today */
  costs: takes((z) => z.int().min(1).max(mostCostDays)).query<CostView>(),
  /** what happened since then; null: since 18:00 of the day before, where the engine runs */
  report: takes((z) => instant(z).nullable()).query<ReportView>(),
  logs: takes((z) => z.number().int().min(1).max(10_000)).query<readonly string[]>(),
  /** the end of the log, or the lines after a page of it */
  logPage: takes((z) =>
    z.object({ cursor: z.string().max(100).nullable(), lines: z.number().int().min(1).max(10_000) }),
  ).query<LogPage>(),
  setCapture: takes(switchOf).mutation<SessionView>({
    commands: [
      {
        usage: 'capture <session> <switch>',
        takes: [
          'session id, its beginning, its name, or a terminal id',
          ['whether its bodies are kept', ['on', 'off']],
        ],
        summary: 'keep what a session sends and gets',
        description:
          'Keeps the bodies of a session’s requests and answers on this disk, readable by you only: the newest 200 ' +
          'turns, at most 64 MiB. Headers and keys are never kept. Off for every session until it is switched on.',
        examples: [
          ['onward capture billing on', 'from its next request on'],
          ['onward turns show req_…', 'says where the bodies of a turn are'],
          ['onward capture billing off', 'no more; what is there stays'],
        ],
        input: (session = '', wanted) => ({ session, on: wanted === 'on' }),
        say: ({ name, capture }, { shape, strong, clean }) =>
          capture
            ? `${shape('working', '●')} ${strong(clean(name))}: bodies are kept from its next request on. ` +
              '`onward turns show` says where.\n'
            : `${shape('idle', '○')} ${strong(clean(name))}: bodies are not kept any more. ` +
              'Those that are there stay.\n',
      },
    ],
  }),
}
