/**
 * Everything a person can make the engine do from here. A failure is shown in a toast; an act that can be undone offers
 * it.
 */
import type { ProviderModels } from '../../shared/control/provider-edit.ts'
import type { Answer, Input, OperationName } from '../../shared/operations/index.ts'
import type { AnyOperation } from '../../shared/operations/operation.ts'
import type { DriveLimits } from '../../shared/drives.ts'
import type { InstallStep } from '../../shared/machines.ts'
import type { RoutingView, ProviderTest } from '../../shared/routing.ts'
import type { SettingView } from '../../shared/settings.ts'
import type { OutboxEntryView, TerminalChunk } from '../../shared/state.ts'
import type { ActionDeps, Acting } from './action-deps.ts'
import { alarmActions } from './alarm-actions.ts'
import { goalActions } from './goal-actions.ts'
import type { Outcome } from './outcome.ts'
import { inWords, problemOf, type Problem } from './problem.ts'
import type { ControlClient } from './socket.ts'

export type Actions = ReturnType<typeof createActions>

export function createActions(deps: ActionDeps) {
  const shared = acting(deps)
  const { toasts, words, onServertools, ask, act, perform, inTurn, routed, copy, done, subscribed } = shared
  return {
    ...alarmActions(shared),
    ...goalActions(shared),
    ...providerActions(shared),
    ...settingActions(shared),
    /** reads that views show by themselves, with their own error states */
    ask,
    perform,
    pause: (session: string | null) => done(act((c) => c.pause.mutate(session))),
    resume: (session: string | null) => done(act((c) => c.resume.mutate(session))),
    arm: (input: Input<'setStopMessage'>) => ask((c) => c.setStopMessage.mutate(input)),
    clear: (session: string) => done(perform('clearStopMessage', session, () => words().w.goal.cleared)),
    reArm: (session: string) => done(act((c) => c.rearmStopMessage.mutate(session))),
    /** a goal of another conversation of the terminal goes on in this one, now */
    carryOn: (session: string) => done(act((c) => c.carryOnStopMessage.mutate(session))),
    /** markers of a session that were not followed */
    applyMarker: (session: string, marker: string) => done(act((c) => c.applyMarker.mutate({ session, marker }))),
    forgetMarker: (session: string, marker: string) => done(act((c) => c.forgetMarker.mutate({ session, marker }))),
    /** what is armed begins now */
    startGoal: (session: string) => done(act((c) => c.startStopMessage.mutate(session))),
    addRounds: (session: string, rounds: number) => done(act((c) => c.addRounds.mutate({ session, rounds }))),
    say: (session: string, text: string) => ask((c) => c.say.mutate({ session, text })),
    editEntry: ({ id: entryId, revision }: OutboxEntryView, text: string) =>
      ask((c) => c.editEntry.mutate({ entryId, revision, text })),
    async cancelEntry(entry: OutboxEntryView): Promise<void> {
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
    sendEntryNow: (entryId: string) => done(act((c) => c.sendEntryNow.mutate(entryId))),
    moveEntry: (entryId: string, beforeEntryId: string | null) =>
      done(act((c) => c.moveEntry.mutate({ entryId, beforeEntryId }))),
    rename: (session: string, name: string) => done(act((c) => c.renameSession.mutate({ session, name }))),
    pin: (session: string, pinned: boolean) => done(act((c) => c.pinSession.mutate({ session, pinned }))),
    archive: (session: string, archived: boolean) =>
      done(
        perform('archiveSession', { session, archived }, ({ name }) =>
          archived ? words().w.session.archived(name) : null,
        ),
      ),
    /** for good: the caller has asked the person */
    deleteSession: (session: string, name: string) =>
      done(perform('deleteSession', session, () => words().w.session.delete.done(name))),
    saveRoute: ({ category, pool }: Input<'saveRoute'>) =>
      inTurn(() => routed((c) => c.saveRoute.mutate({ category, pool: [...pool] }))),
    undoConfig: () => inTurn(() => routed((c) => c.undoConfig.mutate())),
    setSwitch: (input: Input<'setSwitch'>) => inTurn(() => done(act((c) => c.setSwitch.mutate(input)))),
    /** the last config that was right, in the place of the wrong one, which is kept */
    putBackConfig: () =>
      inTurn(() => done(perform('putBackConfig', undefined, ({ kept }) => words().w.config.undone(kept)))),
    /** a tool of Onward's, or all of them (null); `on` null: as it is by itself */
    setServertool: (tool: string | null, on: boolean | null) =>
      inTurn(async () => {
        const outcome = await act((c) => c.setServertool.mutate({ tool, on }))
        if (outcome.ok) onServertools(outcome.value)
      }),
    /** this one too: the connection ends with it */
    signOutWindows: () => done(act((c) => c.signOutWindows.mutate())),
    /** for each of these sessions: goes on by itself when its limit lifts, or does not */
    async resumeAtReset(sessions: readonly string[], on: boolean): Promise<void> {
      for (const session of sessions) await act((c) => c.setResumeAtReset.mutate({ session, on }))
    },
    /** goes on by itself after a turn that failed, or does not */
    setRecover: (session: string, on: boolean) => done(act((c) => c.setRecover.mutate({ session, on }))),
    /** null: all that its agent set itself */
    letDrives: (session: string, drive: string | null) => act((c) => c.letDrives.mutate({ session, drive })),
    boundDrive: (session: string, drive: string, limits: DriveLimits) =>
      act((c) => c.boundDrive.mutate({ session, drive, ...limits })),
    stopDrive: (session: string, drive: string | null) => act((c) => c.stopDrive.mutate({ session, drive })),
    /** this once; the switch stays as it is */
    cancelResume: (session: string) => done(perform('cancelResume', session, () => words().w.card.resumeCancelled)),
    /** with neither a notification nor a stand-in an earlier request is taken back */
    setOutage: (input: Input<'setOutage'>) => done(act((c) => c.setOutage.mutate(input))),
    keepBodies: (session: string, on: boolean) => done(act((c) => c.setCapture.mutate({ session, on }))),
    openTerminal: (input: Input<'openTerminal'>) => ask((c) => c.openTerminal.mutate(input)),
    closeTerminal: (terminalId: string) => done(act((c) => c.closeTerminal.mutate(terminalId))),
    renameTerminal: (terminalId: string, name: string) =>
      done(act((c) => c.renameTerminal.mutate({ terminalId, name }))),
    /** presses a choice of the agent's open dialog, as it was shown */
    answerDialog: (input: Input<'answerDialog'>) => done(act((c) => c.answerDialog.mutate(input))),
    /** keystrokes: failures show once on the terminal itself, not in a toast per key */
    write: (terminalId: string, data: string) => ask((c) => c.writeTerminal.mutate({ terminalId, data })),
    resize: (terminalId: string, cols: number, rows: number) =>
      ask((c) => c.resizeTerminal.mutate({ terminalId, cols, rows })),
    watch: (terminalId: string, onChunk: (chunk: TerminalChunk) => void, onEnd: (problem: Problem | null) => void) =>
      subscribed((c, handlers) => c.watchTerminal.subscribe(terminalId, handlers), onChunk, onEnd),
    /** left before its end, nothing of it stays there */
    installThere: (
      input: Input<'installThere'>,
      onStep: (step: InstallStep) => void,
      onEnd: (problem: Problem | null) => void,
    ) => subscribed((c, handlers) => c.installThere.subscribe(input, handlers), onStep, onEnd),
    /** a terminal's screen without its words, to the clipboard */
    async copyReport(terminalId: string): Promise<void> {
      const outcome = await act((c) => c.reportScreen.query(terminalId))
      if (outcome.ok) await copy(outcome.value, words().w.terminal.reportCopied)
    },
    copy,
    /** what was done here and not by the engine can be taken back, too */
    offerUndo: (said: string, undo: () => void) => toasts.undoable(said, async () => undo()),
    /** takes back the last undoable act, as Ctrl Z does */
    undo: () => toasts.undoLast(),
  }
}

interface Subscriber<T> {
  onData(data: T): void
  onError(error: unknown): void
  onComplete(): void
}

/** Makes the helpers that all actions share. */
function acting(deps: ActionDeps) {
  const { client, toasts, words, clipboard, onRouting } = deps
  async function ask<T>(question: (client: ControlClient) => Promise<T>): Promise<Outcome<T>> {
    const now = client()
    if (!now) return { ok: false, problem: { code: 'offline', message: words().w.say.offline } }
    try {
      return { ok: true, value: await question(now) }
    } catch (error) {
      return { ok: false, problem: inWords(problemOf(error), words()) }
    }
  }
  /** @returns what leaves it */
  function subscribed<T>(
    begin: (client: ControlClient, handlers: Subscriber<T>) => { unsubscribe(): void },
    onData: (data: T) => void,
    onEnd: (problem: Problem | null) => void,
  ): () => void {
    const now = client()
    if (!now) {
      onEnd({ code: 'offline', message: words().w.say.offline })
      return () => undefined
    }
    const onError = (error: unknown) => onEnd(inWords(problemOf(error), words()))
    const subscription = begin(now, { onData, onError, onComplete: () => onEnd(null) })
    return () => subscription.unsubscribe()
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
  /** Does it and says so in a toast, which offers what takes it back (shared/operations). @param said null: nothing */
  async function perform<N extends OperationName>(
    name: N,
    input: Input<N>,
    said: (answer: Answer<N>) => string | null,
    asked: typeof ask = act,
  ): Promise<Outcome<Answer<N>>> {
    const outcome = await asked((c) => mutate(c, name, input) as Promise<Answer<N>>)
    const text = outcome.ok ? said(outcome.value) : null
    if (!outcome.ok || text === null) return outcome
    const back = (await undoOf(name))?.(input, outcome.value)
    if (back) toasts.undoable(text, () => done(act((c) => mutate(c, ...back))))
    else toasts.info(text)
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
  /** Edits of the config go one after the other, in the order they were made. */
  function inTurn<T>(edit: () => Promise<T>): Promise<T> {
    const mine = lastEdit.then(edit)
    lastEdit = mine
    return mine
  }
  /** @returns whether it was changed */
  async function routed(question: (client: ControlClient) => Promise<RoutingView>): Promise<boolean> {
    const outcome = await act(question)
    if (outcome.ok) onRouting(outcome.value)
    return outcome.ok
  }
  return { ...deps, ask, act, perform, inTurn, routed, copy, done, subscribed }
}

/** A client knows its calls by their names. */
const mutate = (client: ControlClient, name: string, input: unknown): Promise<unknown> =>
  (Reflect.get(client, name) as { mutate(input: unknown): Promise<unknown> }).mutate(input)

/** The table of operations is fetched with the first act: nothing before needs it. @returns undefined: not fetched */
const undoOf = async (name: OperationName): Promise<AnyOperation['undo']> => {
  const table = await import('../../shared/operations/index.ts').catch(() => null)
  return (table?.operations[name] as AnyOperation | undefined)?.undo
}

/** A person's changes of providers. Refusals of forms are handed back: they are said where the change was made. */
function providerActions({ ask, act, inTurn, routed, toasts, words }: Acting) {
  /** Undo takes back the last edit, of any author: here it is meant for this one only. */
  async function offerUndo(said: string): Promise<void> {
    const after = await ask((c) => c.routing.query())
    toasts.undoable(said, () =>
      inTurn(async () => {
        const now = await act((c) => c.routing.query())
        if (!now.ok) return
        if (!after.ok || now.value.savedAt !== after.value.savedAt)
          return toasts.failed(words().w.providers.undoTooLate)
        await routed((c) => c.undoConfig.mutate())
      }),
    )
  }
  /** Why there was no answer, in the words of who asked. */
  async function withReason<T extends ProviderTest | ProviderModels>(
    provider: string,
    asked: Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const outcome = await asked
    if (!outcome.ok || outcome.value.kind !== 'failed') return outcome
    const message = words().s.notAnswered({ provider, test: outcome.value })
    return { ok: true, value: { ...outcome.value, message } }
  }
  return {
    /** @param key only with this one */
    testProvider: (provider: string, key?: string) =>
      withReason(
        provider,
        ask((c) => c.testProvider.mutate(key === undefined ? provider : { provider, key })),
      ),
    addProvider: (input: Input<'addProvider'>) => inTurn(() => ask((c) => c.addProvider.mutate(input))),
    /** a toast offers to take it back */
    updateProvider: (input: Input<'updateProvider'>) =>
      inTurn(async () => {
        const updated = await ask((c) => c.updateProvider.mutate(input))
        if (updated.ok) await offerUndo(words().w.providerForm.saved(updated.value.id))
        return updated
      }),
    providerModels: (provider: string) =>
      withReason(
        provider,
        ask((c) => c.providerModels.mutate(provider)),
      ),
    /** @param routes how many it is taken out of; @returns whether it is gone */
    removeProvider: (provider: string, routes: number) =>
      inTurn(async () => {
        const removed = await act((c) => c.removeProvider.mutate(provider))
        if (removed.ok) await offerUndo(words().w.providerForm.removed(provider, routes))
        return removed.ok
      }),
    /** changes of a provider that were not saved: a toast offers to bring them back */
    dropped: (provider: string, bringBack: () => void) =>
      toasts.undoable(words().w.providerForm.dropped(provider), async () => bringBack()),
  }
}

/** A person's orders about settings: single ones of the config, quiet hours, places outside, and who may call. */

type Value = Input<'setSetting'>['value']

function settingActions(acting: Acting) {
  const { ask, act, words } = acting
  const set = async (asked: Acting['ask'], { name, value: before }: SettingView, value: Value, said: string) => {
    const outcome = await asked((c) => c.setSetting.mutate({ name, value }))
    if (outcome.ok)
      await offerConfigUndo(acting, said, (c) =>
        c.setSetting.mutate({ name, value: typeof before === 'object' && before !== null ? [...before] : before }),
      )
    return outcome
  }
  return {
    /** a toast offers to take it back; @param value null: back to its default */
    setSetting: (setting: SettingView, value: Value, said: string) => set(ask, setting, value, said),
    /** the same; a refusal is said in a toast, since there is no field that could say it */
    async pickSetting(setting: SettingView, value: boolean | string | null, said: string): Promise<void> {
      await set(act, setting, value, said)
    },
    /** `limits.pauseAt`; a toast offers to take it back */
    async pauseAtLimit(percent: number, said: string): Promise<void> {
      const outcome = await act((c) => c.setSetting.mutate({ name: 'limits.pauseAt', value: percent }))
      if (outcome.ok) await offerConfigUndo(acting, said)
    },
    /** a refusal is said in a toast */
    async switchQuietHours(input: Input<'setQuietHours'>): Promise<void> {
      await act((c) => c.setQuietHours.mutate(input))
    },
    /** a toast offers to take it back; a refusal is the field's to say */
    async setQuietTime(member: 'from' | 'to', time: string, before: string, said: string) {
      const outcome = await ask((c) => c.setQuietHours.mutate({ [member]: time }))
      if (outcome.ok) await offerConfigUndo(acting, said, (c) => c.setQuietHours.mutate({ [member]: before }))
      return outcome
    },
    saveOutside: (input: Input<'saveOutside'>) => ask((c) => c.saveOutside.mutate(input)),
    /** a toast offers to take it back */
    async removeOutside(name: string): Promise<void> {
      const removed = await act((c) => c.removeOutside.mutate(name))
      if (removed.ok) await offerConfigUndo(acting, words().w.outside.removed(name))
    },
    testOutside: (name: string) => ask((c) => c.testOutside.mutate(name)),
    addLocalKey: (alias: string) => ask((c) => c.addLocalKey.mutate(alias)),
    /** a toast offers to take it back */
    async removeLocalKey(id: string, said: string) {
      const outcome = await act((c) => c.removeLocalKey.mutate(id))
      if (outcome.ok) await offerConfigUndo(acting, said)
      return outcome
    },
  }
}

/**
 * Offers to take back the edit of the config that was made just now, whose bytes and comments come back then. Undo
 * takes back the last edit, of any author: when there was another one since, `otherwise` is done, or it is said that it
 * is too late.
 */
async function offerConfigUndo(
  { ask, act, toasts, words }: Acting,
  said: string,
  otherwise: ((client: ControlClient) => Promise<unknown>) | null = null,
): Promise<void> {
  const after = await ask((c) => c.routing.query())
  toasts.undoable(said, async () => {
    const now = await act((c) => c.routing.query())
    if (!now.ok) return
    if (after.ok && now.value.savedAt === after.value.savedAt) await act((c) => c.undoConfig.mutate())
    else if (otherwise) await act(otherwise)
    else toasts.failed(words().w.providers.undoTooLate)
  })
}
