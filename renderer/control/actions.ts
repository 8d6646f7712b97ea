/**
 * Everything a person can make the engine do from here. A failure is shown in a toast; an act that can be undone offers
 * it.
 */
import type {
  AnswerDialogInput,
  OpenTerminalInput,
  OutageInput,
  SaveRouteInput,
  StopMessageSetInput,
} from '../../shared/control/contract.ts'
import type { SetSwitchInput } from '../../shared/control/switches.ts'
import type { RoutingView } from '../../shared/routing.ts'
import type { OutboxEntryView, SessionView, TerminalChunk, TerminalView } from '../../shared/state.ts'
import type { ActionDeps } from './action-deps.ts'
import { alarmActions, type AlarmActions } from './alarm-actions.ts'
import { goalActions, type GoalActions } from './goal-actions.ts'
import type { Outcome } from './outcome.ts'
import { outsideActions, type OutsideActions } from './outside-actions.ts'
import { inWords, problemOf, type Problem } from './problem.ts'
import { providerActions, type ProviderActions } from './provider-actions.ts'
import { quietActions, type QuietActions } from './quiet-actions.ts'
import { settingActions, type SettingActions } from './setting-actions.ts'
import type { ControlClient } from './socket.ts'

export interface Actions
  extends AlarmActions, GoalActions, OutsideActions, ProviderActions, QuietActions, SettingActions {
  pause(session: string | null): Promise<void>
  resume(session: string | null): Promise<void>
  arm(input: StopMessageSetInput): Promise<Outcome<SessionView>>
  clear(session: string): Promise<void>
  reArm(session: string): Promise<void>
  /** a goal of another conversation of the terminal goes on in this one, now */
  carryOn(session: string): Promise<void>
  /** markers of a session that were not followed */
  applyMarker(session: string, marker: string): Promise<void>
  forgetMarker(session: string, marker: string): Promise<void>
  /** what is armed begins now */
  startGoal(session: string): Promise<void>
  addRounds(session: string, rounds: number): Promise<void>
  say(session: string, text: string): Promise<Outcome<OutboxEntryView>>
  editEntry(entry: OutboxEntryView, text: string): Promise<Outcome<OutboxEntryView>>
  cancelEntry(entry: OutboxEntryView): Promise<void>
  sendEntryNow(entryId: string): Promise<void>
  moveEntry(entryId: string, beforeEntryId: string | null): Promise<void>
  rename(session: string, name: string): Promise<void>
  pin(session: string, pinned: boolean): Promise<void>
  archive(session: string, archived: boolean): Promise<void>
  /** for good: the caller has asked the person */
  deleteSession(session: string, name: string): Promise<void>
  /** edits of the config go one after the other, in the order they were made; @returns whether it was changed */
  saveRoute(input: SaveRouteInput): Promise<boolean>
  undoConfig(): Promise<boolean>
  /** a switch of the config; a refusal is said */
  setSwitch(input: SetSwitchInput): Promise<void>
  /** the last config that was right, in the place of the wrong one, which is kept */
  putBackConfig(): Promise<void>
  /** a tool of Onward's, or all of them (null); `on` null: as it is by itself */
  setServertool(tool: string | null, on: boolean | null): Promise<void>
  /** this one too: the connection ends with it */
  signOutWindows(): Promise<void>
  /** for each of these sessions: goes on by itself when its limit lifts, or does not */
  resumeAtReset(sessions: readonly string[], on: boolean): Promise<void>
  /** goes on by itself after a turn that failed, or does not */
  setRecover(session: string, on: boolean): Promise<void>
  /** this once; the switch stays as it is */
  cancelResume(session: string): Promise<void>
  /** with neither a notification nor a stand-in an earlier request is taken back */
  setOutage(input: OutageInput): Promise<void>
  keepBodies(session: string, on: boolean): Promise<void>
  openTerminal(input: OpenTerminalInput): Promise<Outcome<TerminalView>>
  closeTerminal(terminalId: string): Promise<void>
  renameTerminal(terminalId: string, name: string): Promise<void>
  /** a terminal's screen without its words, to the clipboard */
  copyReport(terminalId: string): Promise<void>
  /** presses a choice of the agent's open dialog, as it was shown */
  answerDialog(input: AnswerDialogInput): Promise<void>
  /** keystrokes: failures show once on the terminal itself, not in a toast per key */
  write(terminalId: string, data: string): Promise<Outcome<void>>
  resize(terminalId: string, cols: number, rows: number): Promise<Outcome<void>>
  watch(
    terminalId: string,
    onChunk: (chunk: TerminalChunk) => void,
    onEnd: (problem: Problem | null) => void,
  ): () => void
  /** reads that views show by themselves, with their own error states */
  ask<T>(question: (client: ControlClient) => Promise<T>): Promise<Outcome<T>>
  copy(text: string, said: string): Promise<void>
  /** what was done here and not by the engine can be taken back, too */
  offerUndo(said: string, undo: () => void): void
  /** takes back the last undoable act, as Ctrl Z does */
  undo(): void
}

export function createActions({
  client,
  toasts,
  words,
  now,
  clipboard,
  onRouting,
  onServertools,
  onChecks,
}: ActionDeps): Actions {
  async function ask<T>(question: (client: ControlClient) => Promise<T>): Promise<Outcome<T>> {
    const now = client()
    if (!now) return { ok: false, problem: { code: 'offline', message: words().w.say.offline } }
    try {
      return { ok: true, value: await question(now) }
    } catch (error) {
      return { ok: false, problem: inWords(problemOf(error), words()) }
    }
  }
  /** For acts whose failure is shown nowhere else. */
  async function act<T>(question: (client: ControlClient) => Promise<T>): Promise<Outcome<T>> {
    const outcome = await ask(question)
    if (!outcome.ok)
      toasts.failed(
        outcome.problem.code === 'offline' ? outcome.problem.message : words().w.say.failed(outcome.problem.message),
      )
    return outcome
  }
  async function copy(text: string, said: string): Promise<void> {
    try {
      if (!clipboard) throw new Error('no clipboard')
      await clipboard.writeText(text)
      toasts.info(said)
    } catch {
      // Which of its reasons the browser had, it does not say; the person can still select the text.
      toasts.failed(words().w.say.copyFailed)
    }
  }
  const done = async (outcome: Promise<Outcome<unknown>>): Promise<void> => {
    await outcome
  }
  let lastEdit: Promise<unknown> = Promise.resolve()
  function inTurn<T>(edit: () => Promise<T>): Promise<T> {
    const mine = lastEdit.then(edit)
    lastEdit = mine
    return mine
  }
  async function routed(question: (client: ControlClient) => Promise<RoutingView>): Promise<boolean> {
    const outcome = await act(question)
    if (outcome.ok) onRouting(outcome.value)
    return outcome.ok
  }

  return {
    ...alarmActions({ ask, act, toasts, words, now }),
    ...goalActions({ ask, act, toasts, words, onChecks }),
    ...providerActions({ ask, act, inTurn, routed, toasts, words }),
    ...outsideActions({ ask, act, toasts, words }),
    ...settingActions({ ask, act, toasts, words }),
    ...quietActions({ ask, act, toasts, words }),
    ask,
    pause: (session) => done(act((c) => c.pause.mutate(session))),
    resume: (session) => done(act((c) => c.resume.mutate(session))),
    arm: (input) => ask((c) => c.setStopMessage.mutate(input)),
    async clear(session) {
      const outcome = await act((c) => c.clearStopMessage.mutate(session))
      if (outcome.ok)
        toasts.undoable(words().w.goal.cleared, () => done(act((c) => c.rearmStopMessage.mutate(session))))
    },
    reArm: (session) => done(act((c) => c.rearmStopMessage.mutate(session))),
    carryOn: (session) => done(act((c) => c.carryOnStopMessage.mutate(session))),
    applyMarker: (session, marker) => done(act((c) => c.applyMarker.mutate({ session, marker }))),
    forgetMarker: (session, marker) => done(act((c) => c.forgetMarker.mutate({ session, marker }))),
    startGoal: (session) => done(act((c) => c.startStopMessage.mutate(session))),
    addRounds: (session, rounds) => done(act((c) => c.addRounds.mutate({ session, rounds }))),
    say: (session, text) => ask((c) => c.say.mutate({ session, text })),
    editEntry: (entry, text) => ask((c) => c.editEntry.mutate({ entryId: entry.id, revision: entry.revision, text })),
    async cancelEntry(entry) {
      const outcome = await act((c) => c.cancelEntry.mutate(entry.id))
      const { sessionId } = entry
      if (!outcome.ok) return
      // A cancelled entry is final; its text can be queued again, as the person's own.
      if (sessionId === null) toasts.info(words().w.queue.dropped)
      else
        toasts.undoable(words().w.queue.dropped, () =>
          done(act((c) => c.say.mutate({ session: sessionId, text: entry.text }))),
        )
    },
    sendEntryNow: (entryId) => done(act((c) => c.sendEntryNow.mutate(entryId))),
    moveEntry: (entryId, beforeEntryId) => done(act((c) => c.moveEntry.mutate({ entryId, beforeEntryId }))),
    rename: (session, name) => done(act((c) => c.renameSession.mutate({ session, name }))),
    pin: (session, pinned) => done(act((c) => c.pinSession.mutate({ session, pinned }))),
    async archive(session, archived) {
      const outcome = await act((c) => c.archiveSession.mutate({ session, archived }))
      if (outcome.ok && archived)
        toasts.undoable(words().w.session.archived(outcome.value.name), () =>
          done(act((c) => c.archiveSession.mutate({ session, archived: false }))),
        )
    },
    async deleteSession(session, name) {
      const outcome = await act((c) => c.deleteSession.mutate(session))
      if (outcome.ok) toasts.info(words().w.session.delete.done(name))
    },
    saveRoute: (input) =>
      inTurn(() => routed((c) => c.saveRoute.mutate({ category: input.category, pool: [...input.pool] }))),
    undoConfig: () => inTurn(() => routed((c) => c.undoConfig.mutate())),
    setSwitch: (input) => inTurn(() => done(act((c) => c.setSwitch.mutate(input)))),
    putBackConfig: () =>
      inTurn(async () => {
        const outcome = await act((c) => c.putBackConfig.mutate())
        if (outcome.ok) toasts.info(words().w.config.undone(outcome.value.kept))
      }),
    setServertool: (tool, on) =>
      inTurn(async () => {
        const outcome = await act((c) => c.setServertool.mutate({ tool, on }))
        if (outcome.ok) onServertools(outcome.value)
      }),
    signOutWindows: () => done(act((c) => c.signOutWindows.mutate())),
    async resumeAtReset(sessions, on) {
      for (const session of sessions) await act((c) => c.setResumeAtReset.mutate({ session, on }))
    },
    setRecover: (session, on) => done(act((c) => c.setRecover.mutate({ session, on }))),
    async cancelResume(session) {
      const outcome = await act((c) => c.cancelResume.mutate(session))
      if (outcome.ok)
        toasts.undoable(words().w.card.resumeCancelled, () =>
          done(act((c) => c.setResumeAtReset.mutate({ session, on: true }))),
        )
    },
    setOutage: (input) => done(act((c) => c.setOutage.mutate(input))),
    keepBodies: (session, on) => done(act((c) => c.setCapture.mutate({ session, on }))),
    openTerminal: (input) => ask((c) => c.openTerminal.mutate(input)),
    closeTerminal: (terminalId) => done(act((c) => c.closeTerminal.mutate(terminalId))),
    renameTerminal: (terminalId, name) => done(act((c) => c.renameTerminal.mutate({ terminalId, name }))),
    answerDialog: (input) => done(act((c) => c.answerDialog.mutate(input))),
    write: (terminalId, data) => ask((c) => c.writeTerminal.mutate({ terminalId, data })),
    resize: (terminalId, cols, rows) => ask((c) => c.resizeTerminal.mutate({ terminalId, cols, rows })),
    watch(terminalId, onChunk, onEnd) {
      const now = client()
      if (!now) {
        onEnd({ code: 'offline', message: words().w.say.offline })
        return () => undefined
      }
      const watching = now.watchTerminal.subscribe(terminalId, {
        onData: onChunk,
        onError: (error) => onEnd(inWords(problemOf(error), words())),
        onComplete: () => onEnd(null),
      })
      return () => watching.unsubscribe()
    },
    async copyReport(terminalId) {
      const outcome = await act((c) => c.reportScreen.query(terminalId))
      if (outcome.ok) await copy(outcome.value, words().w.terminal.reportCopied)
    },
    copy,
    offerUndo: (said, undo) => toasts.undoable(said, async () => undo()),
    undo: () => toasts.undoLast(),
  }
}
