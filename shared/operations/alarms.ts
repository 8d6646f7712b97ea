import type { AlarmsView, AlarmView, ReadTime } from '../alarms/alarms.ts'
import { repeatRequestShape } from '../alarms/repeat-shape.ts'
import { call, id, instant, key, takes, type Zod } from './operation.ts'

const task = (z: Zod) => z.string().trim().min(1).max(4_000)

/** The clock, and times. */
export const alarmOperations = {
  alarms: call.query<AlarmsView>(),
  /** the alarms of one session, delivered ones among them, next due first */
  alarmsOf: takes(id).query<readonly AlarmView[]>(),
  /**
   * On the disk when it resolves. `repeat`: it comes again, and `dueAt` is its first time. `key` becomes its id.
   * @throws OnwardError `alarm-over` (its time is long past), `store-failed`, `clock-off`, `key-used`
   */
  addAlarm: takes((z) =>
    z.object({
      session: id(z),
      dueAt: instant(z),
      task: task(z),
      repeat: repeatRequestShape(z).optional(),
      key: key(z),
    }),
  ).mutation<AlarmView>({ once: true }),
  /**
   * What is left out stays as it is. `alarm`: its id or an unambiguous beginning. A new time makes a delivered one wait
   * again; of a repeated one it moves the next time only, which the answer is, unless there is a `repeat`, too. @throws
   * `alarm-unknown`, `alarm-under-way`, `bad-repeat`, as addAlarm
   */
  editAlarm: takes((z) =>
    z.object({
      alarm: id(z),
      dueAt: instant(z).optional(),
      task: task(z).optional(),
      repeat: repeatRequestShape(z).optional(),
    }),
  ).mutation<AlarmView>(),
  /** rings again so many minutes from now; also one that was delivered or missed. @throws as editAlarm */
  snoozeAlarm: takes((z) =>
    z.object({
      alarm: id(z),
      minutes: z
        .number()
        .int()
        .min(1)
        .max(7 * 24 * 60)
        .default(10),
    }),
  ).mutation<AlarmView>(),
  /** of a repeated one all that is to come. @throws as editAlarm */
  cancelAlarm: takes(id).mutation<void>({ undo: (alarm) => ['restoreAlarm', alarm] }),
  /**
   * leaves out the next time of a repeated one. @returns what comes then; null: that was the last. @throws as
   * editAlarm, `alarm-single`
   */
  skipAlarm: takes(id).mutation<AlarmView | null>({ undo: (alarm) => ['restoreAlarm', alarm] }),
  /** takes back a cancel, or the last skip. @throws `alarm-unknown` when it was not cancelled lately */
  restoreAlarm: takes(id).mutation<AlarmView>(),
  /** a person's decision on a missed one. @throws `missed-unknown`, as addAlarm */
  settleMissed: takes((z) =>
    z.object({
      missed: id(z),
      how: z.discriminatedUnion('kind', [
        /** again, now, by whatever route there is */
        z.object({ kind: z.literal('deliver') }),
        z.object({ kind: z.literal('dismiss') }),
        z.object({ kind: z.literal('reschedule'), dueAt: instant(z) }),
      ]),
    }),
  ).mutation<void>(),
  dismissAllMissed: call.mutation<void>(),
  /** reads “in 20 min”, “tomorrow 9:00”, “明天 9 点” or an ISO instant, in the engine's zone; changes nothing */
  readTime: takes((z) => z.string().max(500)).query<ReadTime>(),
}
