import type { OutboxEntryView, SessionView } from '../state.ts'
import { call, id, key, some, switchOf, takes, whole, type PlainCommand, type Zod } from './operation.ts'

const idOrAll = (z: Zod) => id(z).nullable()
const whichOrAll = 'session id, its beginning, its name, or a terminal id; none: everything'
const typed = (z: Zod) => z.string().min(1).max(262_144)
/** `marker`: the id of one in the session's `heldMarkers` */
const heldMarker = (z: Zod) => z.object({ session: id(z), marker: id(z) })

const putting = (
  word: string,
  archived: boolean,
  summary: string,
): PlainCommand<{ session: string; archived: boolean }, SessionView> => ({
  usage: `sessions ${word} <session>`,
  takes: ['its name, its id, or the beginning of it'],
  summary,
  description: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}. Nothing is stopped.`,
  examples: [[`onward sessions ${word} billing`, summary]],
  input: (session = '') => ({ session, archived }),
  json: (view) => ({ session: view.id, archived }),
  say: ({ name }) => `${name} ${archived ? 'is archived until its next turn' : 'is in the list again'}.\n`,
})

/** Sessions: their queue, names and switches. */
export const sessionOperations = {
  sessions: call.query<readonly SessionView[]>(),
  session: takes(id).query<SessionView>(),
  /** null: everything */
  pause: takes(idOrAll).mutation<void>({
    commands: [
      {
        usage: 'pause [session]',
        takes: [whichOrAll],
        summary: 'type nothing until `resume`',
        description: 'Stops followups and typed alarms, of one session or of all. Agents and their requests go on.',
        examples: [
          ['onward pause', 'everything'],
          ['onward pause billing', 'one session'],
        ],
        input: (session) => session ?? null,
        json: (_, session) => ({ paused: session ?? 'all' }),
        say: (_, { shape, clean }, session) =>
          `${shape('paused', '⏸')} Paused: ${session === null ? 'every session' : clean(session)}. ` +
          `Go on with \`onward resume${session === null ? '' : ` ${clean(session)}`}\`.\n`,
      },
    ],
  }),
  resume: takes(idOrAll).mutation<void>({
    commands: [
      {
        usage: 'resume [session]',
        takes: [whichOrAll],
        summary: 'go on after `pause`',
        description: 'Goes on after `pause`: what was held is typed when the agent is idle.',
        examples: [
          ['onward resume', 'everything'],
          ['onward resume billing', 'one session'],
        ],
        input: (session) => session ?? null,
        json: (_, session) => ({ resumed: session ?? 'all' }),
        say: (_, { shape, clean }, session) =>
          `${shape('working', '●')} Going on: ` +
          `${session === null ? 'every session that is not paused by itself' : clean(session)}.\n`,
      },
    ],
  }),
  /**
   * Has the agent stop what it set itself to go on by, in its own way; null: all of it. Typed when that is safe.
   * @throws `drive-unknown`, and why nothing can be typed there
   */
  stopDrive: takes((z) => z.object({ session: id(z), drive: id(z).nullable() })).mutation<SessionView>({
    commands: [
      {
        usage: 'drives stop <session> [drive]',
        takes: ['its name or id', 'its id in `onward drives`; none: all'],
        summary: 'have an agent stop its own goal, loop, schedule or work',
        description: 'Tells the agent in its own way, typed when that is safe.',
        input: (session = '', drive) => ({ session, drive: drive ?? null }),
        json: (view) => view.drives ?? [],
        say: ({ name }, { clean }) => `The agent of ${clean(name)} is told to stop it.\n`,
      },
    ],
  }),
  /**
   * Lets what it set itself go on past the bound at which it asks: it counts anew. With `drive` that one alone, which
   * is not stopped any more. @throws `drive-unknown`, `drive-over`
   */
  letDrives: takes((z) => z.object({ session: id(z), drive: id(z).nullable() })).mutation<SessionView>({
    commands: [
      {
        usage: 'drives let <session> [drive]',
        takes: ['its name or id', 'its id in `onward drives`, also one that you stopped; none: all'],
        summary: 'let an agent go on by itself, past a bound',
        description: 'Its budgets count anew from here.',
        input: (session = '', drive) => ({ session, drive: drive ?? null }),
        json: (view) => view.drives ?? [],
        say: ({ name }, { clean }) => `${clean(name)} may go on by itself.\n`,
      },
    ],
  }),
  /**
   * The bounds of this one alone, at which a person is asked; they count from now on. Left out: as it is; null: none.
   * @throws `drive-unknown`
   */
  boundDrive: takes((z) =>
    z.object({ session: id(z), drive: id(z), rounds: whole(z), hours: some(z), tokens: whole(z), costUsd: some(z) }),
  ).mutation<SessionView>(),
  /** `key` becomes the entry's id */
  say: takes((z) => z.object({ session: id(z), text: typed(z), key: key(z) })).mutation<OutboxEntryView>({
    once: true,
  }),
  editEntry: takes((z) =>
    z.object({ entryId: id(z), revision: z.number().int(), text: typed(z) }),
  ).mutation<OutboxEntryView>(),
  cancelEntry: takes(id).mutation<void>(),
  sendEntryNow: takes(id).mutation<void>(),
  moveEntry: takes((z) => z.object({ entryId: id(z), beforeEntryId: id(z).nullable() })).mutation<void>(),
  renameSession: takes((z) => z.object({ session: id(z), name: z.string().max(200) })).mutation<SessionView>(),
  pinSession: takes((z) => z.object({ session: id(z), pinned: z.boolean() })).mutation<SessionView>(),
  /** puts it away until its next turn, or brings it back; nothing of it is lost or stopped */
  archiveSession: takes((z) => z.object({ session: id(z), archived: z.boolean() })).mutation<SessionView>({
    undo: ({ session, archived }) => (archived ? ['archiveSession', { session, archived: false }] : null),
    commands: [
      putting('archive', true, 'take it out of the list until its next turn'),
      putting('restore', false, 'bring an archived one back into the list'),
    ],
  }),
  /**
   * Takes away all that is kept of it: its goal, queue and alarms too. What it cost stays in the totals; a later turn
   * begins a new session. @throws `session-working`, `session-queued`, `store-failed`
   */
  deleteSession: takes(id).mutation<void>(),
  /**
   * a person's decision to follow a held marker; then it counts as one of theirs. @throws `marker-unknown`, `one-turn`
   * (it was for a turn that is over), `goal-unseen` | `goal-changed` (a person has yet to look at the content of its
   * file), and why it was refused
   */
  applyMarker: takes(heldMarker).mutation<SessionView>(),
  /** stops offering it. @throws `marker-unknown` */
  forgetMarker: takes(heldMarker).mutation<SessionView>(),
  /** continues the session when the limit that stops it lifts; off also takes back what waits */
  setResumeAtReset: takes(switchOf).mutation<SessionView>(),
  /** takes back the one continuation that waits, and leaves the switch on */
  cancelResume: takes(id).mutation<SessionView>({ undo: (session) => ['setResumeAtReset', { session, on: true }] }),
  /** whether a turn of it that fails goes on when its provider answers again; off also takes back what waits */
  setRecover: takes(switchOf).mutation<SessionView>(),
  /**
   * Applies while a session's turns fail: `tell` notifies a person when the failed target answers again, `standIn`
   * (`provider.model`) takes the turns until then. With neither, an earlier request is taken back. @throws `no-outage`
   * where no turn failed, `unknown-target`
   */
  setOutage: takes((z) =>
    z.object({ session: id(z), tell: z.boolean(), standIn: z.string().max(512).nullable() }),
  ).mutation<SessionView>(),
}
