/** Looks for a new version, downloads and installs it, as far as the person said so. Knows nothing of Electron. */
import type { Clock } from '../../engine/base/clock.ts'
import type { Disposable } from '../../engine/base/disposable.ts'
import type { Log } from '../../engine/base/log.ts'
import { troubleOf } from '../../updates/trouble.ts'
import type { InstallKind, NewVersion, UpdateRequest, UpdateState } from '../../../shared/updates.ts'
import type { UpdateSource } from './source.ts'

/** The first check waits until the app has started. Releases are rare, so a day lies between later checks. */
export const firstCheckMs = 60_000
export const checkEveryMs = 24 * 3_600_000

/** Onward itself continues an agent a moment after its turn, so a shorter break does not count as idle. */
export const idleForMs = 10_000

/** When the new version takes the place of this one. */
export type RestartAnswer = 'now' | 'when-idle' | 'later'

export interface UpdateSettings {
  /** check by itself */
  check: boolean
  /** and download what it found */
  download: boolean
}

export interface UpdatesOptions {
  clock: Clock
  log: Log
  /** how this program was installed; shown where the app can't install updates itself */
  how: InstallKind
  /** null: this package names no place, or is not one that replaces itself */
  source: UpdateSource | null
  onChange(state: UpdateState): void
  /** agents are in the middle of a turn */
  busy(): boolean
  /** the person is asked what that means for agents at work */
  mayRestart(): Promise<RestartAnswer>
  /** ends the app; `finish` comes last of all */
  quit(): void
}

export interface Updates extends Disposable {
  state(): UpdateState
  settings(settings: UpdateSettings): void
  request(request: UpdateRequest): Promise<void>
  /** what agents do may have changed */
  agentsChanged(): void
  /** the app ends; an install that the person allowed is prepared meanwhile */
  beforeEnd(): Promise<void>
  /** called last. false: nothing has to be installed, and the app quits as usual */
  finish(): boolean
}

export function createUpdates(options: UpdatesOptions): Updates {
  const { clock, log, how, source, onChange } = options
  let settings: UpdateSettings = { check: false, download: false }
  let timer: Disposable | null = null
  const shown: Shown = {
    state: source ? { kind: 'idle' } : { kind: 'by-hand', how },
    set(next) {
      shown.state = next
      onChange(next)
    },
    failed(error, found) {
      const trouble = troubleOf(error)
      log.warn({ error, why: trouble.why }, 'no new version')
      shown.set({ kind: 'failed', ...trouble, found })
    },
  }
  const installing = createInstalling(options, shown)

  const check = async (from: UpdateSource, asked: boolean) => {
    const before = shown.state
    if (before.kind === 'checking' || before.kind === 'downloading' || before.kind === 'ready') return
    if (asked) shown.set({ kind: 'checking' })
    try {
      const found = await from.check()
      shown.set(found ? { kind: 'available', ...found } : { kind: 'current', at: clock.now() })
    } catch (error) {
      // Without a network nothing is wrong; the next check will do.
      if (!asked && troubleOf(error).why === 'offline') return shown.set(before)
      return shown.failed(error, null)
    }
    if (settings.download) await download(from)
  }
  const download = async (from: UpdateSource) => {
    const { kind } = shown.state
    const found = foundIn(shown.state)
    if (!found || kind === 'downloading' || kind === 'ready') return
    shown.set({ kind: 'downloading', percent: 0, ...found })
    try {
      await from.download((percent) => {
        const whole = Math.floor(percent)
        const { state } = shown
        if (state.kind === 'downloading' && state.percent !== whole) shown.set({ ...state, percent: whole })
      })
      shown.set({ kind: 'ready', atQuit: false, whenIdle: false, ...found })
    } catch (error) {
      shown.failed(error, found)
    }
  }
  const again = (ms: number) => {
    timer?.dispose()
    timer = null
    if (!settings.check || !source) return
    timer = clock.after(ms, () => {
      again(checkEveryMs)
      void check(source, false)
    })
  }
  return {
    state: () => shown.state,
    settings(next) {
      const on = next.check && !settings.check
      const off = !next.check && settings.check
      settings = next
      if (on || off) again(firstCheckMs)
    },
    async request(request) {
      if (!source) return onChange(shown.state)
      switch (request) {
        case 'check':
          return check(source, true)
        case 'download':
          return download(source)
        case 'restart':
          return installing.restart(source)
        case 'at-quit':
        case 'not-at-quit':
        case 'not-when-idle':
          return installing.choose(request)
      }
    },
    agentsChanged: installing.watchIdle,
    beforeEnd: installing.beforeEnd,
    finish: installing.finish,
    dispose() {
      timer?.dispose()
      installing.stopWatching()
    },
  }
}

/** What a person is told of updates. */
interface Shown {
  state: UpdateState
  set(next: UpdateState): void
  failed(error: unknown, found: NewVersion | null): void
}

/** How a version that is ready takes the place of this one: now, when no agent is at work, or when the app ends. */
function createInstalling({ clock, log, source, busy, mayRestart, quit }: UpdatesOptions, shown: Shown) {
  /** null: nothing is installed at the end */
  let atEnd: 'restart' | 'quit' | null = null
  let restarting = false
  /** runs while no agent is at work and a restart waits for that */
  let idle: Disposable | null = null

  const restart = async (from: UpdateSource) => {
    const ready = shown.state
    if (ready.kind !== 'ready' || restarting) return
    restarting = true
    try {
      const when = busy() ? await mayRestart() : 'now'
      if (when === 'when-idle') {
        shown.set({ ...ready, atQuit: false, whenIdle: true })
        return watchIdle()
      }
      if (when === 'now') await restartNow(from)
    } catch (error) {
      shown.failed(error, ready)
    } finally {
      restarting = false
    }
  }
  const restartNow = async (from: UpdateSource) => {
    stopWatching()
    await from.prepare()
    atEnd = 'restart'
    quit()
  }
  const stopWatching = () => {
    idle?.dispose()
    idle = null
  }
  const watchIdle = () => {
    const { state } = shown
    if (!source || state.kind !== 'ready' || !state.whenIdle || busy()) return stopWatching()
    idle ??= clock.after(idleForMs, () => {
      idle = null
      const ready = shown.state
      if (ready.kind !== 'ready' || !ready.whenIdle || restarting || busy()) return
      restarting = true
      restartNow(source)
        .catch((error: unknown) => shown.failed(error, ready))
        .finally(() => {
          restarting = false
        })
    })
  }
  return {
    restart,
    watchIdle,
    stopWatching,
    choose(request: 'at-quit' | 'not-at-quit' | 'not-when-idle') {
      const { state } = shown
      const atQuit = request === 'not-when-idle' ? {} : { atQuit: request === 'at-quit' }
      if (state.kind === 'ready') shown.set({ ...state, ...atQuit, whenIdle: false })
      stopWatching()
    },
    async beforeEnd() {
      const { state } = shown
      if (!source || atEnd !== null || state.kind !== 'ready' || !(state.atQuit || state.whenIdle)) return
      try {
        await source.prepare()
        atEnd = 'quit'
      } catch (error) {
        log.error({ error }, 'the new version was not installed')
      }
    },
    finish() {
      if (!source || atEnd === null) return false
      source.finish(atEnd === 'restart')
      return true
    },
  }
}

function foundIn(state: UpdateState): NewVersion | null {
  switch (state.kind) {
    case 'available':
    case 'ready':
    case 'downloading':
      return { version: state.version, notes: state.notes }
    case 'failed':
      return state.found
    case 'idle':
    case 'by-hand':
    case 'checking':
    case 'current':
      return null
  }
}
