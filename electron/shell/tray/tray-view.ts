import { failsNow, works } from '../../../shared/asks-for-person.ts'
import { excerpt, sentencesOf } from '../../../shared/sentences/index.ts'
import type { TrayWords } from '../../../shared/sentences/types.ts'
import type { MachineView } from '../../../shared/machines.ts'
import { type ProviderView, fails } from '../../../shared/routing.ts'
import type { EngineStatus, SessionView } from '../../../shared/state.ts'
import type { UpdateRequest, UpdateState } from '../../../shared/updates.ts'
import type { Language } from '../../../shared/words.ts'
import type { ShellState } from '../../../shared/commands/shell-calls.ts'
import type { Picture } from './picture.ts'
import { desktopWords } from '../words.ts'

/** The tray's content, as plain data. */
export interface TrayView {
  icon: TrayIcon
  language: Language
  status: string
  tooltip: string
  /** false: no engine, so nothing can be paused or copied */
  live: boolean
  paused: boolean
  /** sessions that need a person, most urgent first, at most nine */
  asking: readonly { sessionId: string; machine?: string; line: string }[]
  /** how many more there are */
  more: number
  /** the next alarm of all sessions; null: none waits */
  nextAlarm: string | null
  /** how many alarms were missed; null: none */
  missedAlarms: string | null
  /** providers whose calls fail, the longest first, at most three */
  failing: readonly string[]
  /** providers at their limit, what lifts first before the others, at most three */
  limits: readonly string[]
  /** about new versions */
  update: UpdateEntry
  /** an older engine goes on that the app could replace; null: none */
  takeOver: string | null
}

export const trayIcons = ['error', 'needs-you', 'paused', 'working', 'idle'] as const
export type TrayIcon = (typeof trayIcons)[number]

/** More would make the menu longer than small screens. */
const mostSessions = 9
const mostLimits = 3
const mostFailing = 3
/** A menu is as wide as its longest line. */
const longestLine = 64

export function trayView(
  { status, sessions, terminals, providers, machines, language }: Picture,
  now: number,
  shell: ShellState = { update: { kind: 'idle' }, older: null },
): TrayView {
  const { tray } = sentencesOf(language)
  const ofShell = {
    update: updateEntry(shell.update, language),
    takeOver: shell.older && desktopWords(language).takeOver(shell.older.engine),
  }
  if (!status)
    return {
      icon: 'error',
      language,
      status: tray.stopped,
      tooltip: tray.stopped,
      live: false,
      paused: false,
      asking: [],
      more: 0,
      nextAlarm: null,
      missedAlarms: null,
      failing: [],
      limits: [],
      ...ofShell,
    }
  const all = Array.from(sessions.values())
    .filter((s) => !s.archived)
    .sort((a, b) => b.lastActivityAt - a.lastActivityAt)
  // before its first turn a terminal stands for the session it will have
  const fresh = Array.from(terminals.values()).flatMap((t) => (t.alive && t.fresh?.shape === 'needs' ? [t.fresh] : []))
  const known = [...fresh, ...all].map((session): Asking => ({ session }))
  const shown = [...known, ...farSessions(machines)]
  const asking = (['needs', 'failed'] as const).flatMap((shape) =>
    shown.filter(({ session }) => session.shape === shape),
  )
  const working = all.filter(works).length
  const ends = status.finishing && tray.finishing(status.finishing.answers)
  return {
    icon: iconOf({
      broken: status.configProblem !== null || isOutage(all, providers),
      asking: asking.length,
      paused: status.paused,
      working,
    }),
    language,
    status: ends ?? tray.status({ host: status.host, port: status.port, working, paused: status.paused }),
    tooltip: ends ?? tray.tooltip({ working, needsYou: asking.length, paused: status.paused }),
    live: true,
    paused: status.paused,
    asking: asking.slice(0, mostSessions).map(({ session, machine }) => ({
      sessionId: session.id,
      ...(machine !== undefined && { machine }),
      line: lineOf(session, language, now, machine),
    })),
    more: Math.max(0, asking.length - mostSessions),
    ...alarmLines(status, tray, now),
    failing: failingLines(providers, tray, now),
    limits: [...limitLines(status, tray), ...(status.awake ? [excerpt(tray.awake(status.awake), longestLine)] : [])],
    ...ofShell,
  }
}

function alarmLines(
  { alarms }: EngineStatus,
  tray: TrayWords,
  now: number,
): Pick<TrayView, 'nextAlarm' | 'missedAlarms'> {
  const next = alarms?.next ?? null
  const missed = alarms?.missed ?? 0
  return {
    nextAlarm: next && excerpt(tray.nextAlarm(next.dueAt, next.task, now), longestLine),
    missedAlarms: missed > 0 ? tray.missedAlarms(missed) : null,
  }
}

function failingLines(providers: readonly ProviderView[], tray: TrayWords, now: number): string[] {
  const first = providers.filter(fails).toSorted((a, b) => (a.failingSince ?? now) - (b.failingSince ?? now))
  return first
    .slice(0, mostFailing)
    .map(({ id, failingSince = null }) => excerpt(tray.fails(id, failingSince, now), longestLine))
}

function limitLines({ limits = [] }: EngineStatus, tray: TrayWords): string[] {
  const first = [...limits].sort((a, b) => (a.lifts ?? Infinity) - (b.lifts ?? Infinity) || a.since - b.since)
  return first.slice(0, mostLimits).map(({ provider, lifts }) => excerpt(tray.limit(provider, lifts), longestLine))
}

/** Turns fail, and so do calls to a provider for everybody: not one session's matter. */
const isOutage = (sessions: readonly SessionView[], providers: readonly ProviderView[]): boolean =>
  providers.some(fails) && sessions.some((s) => failsNow(s) && (s.say.code !== 'retrying' || s.say.tries > 1))

/** By priority: error, needs you, paused, working, idle (design README). */
function iconOf(facts: { broken: boolean; asking: number; paused: boolean; working: number }): TrayIcon {
  if (facts.broken) return 'error'
  if (facts.asking > 0) return 'needs-you'
  if (facts.paused) return 'paused'
  return facts.working > 0 ? 'working' : 'idle'
}

interface Asking {
  session: SessionView
  machine?: string
}

/** Those of machines that answer: what one that is away waits for may be over. */
const farSessions = (machines: readonly MachineView[]): Asking[] =>
  machines.flatMap(({ name: machine, state, sessions }) =>
    state.kind === 'there' ? sessions.filter((s) => !s.archived).map((session) => ({ session, machine })) : [],
  )

function lineOf(s: SessionView, language: Language, now: number, machine?: string): string {
  const name = excerpt(machine === undefined ? s.name : `${machine}: ${s.name}`, longestLine / 2)
  return excerpt(sentencesOf(language).tray.session(name, s.shape, s.say, now), longestLine)
}

/** The tray's entry about new versions. Progress is not in it: on Linux a menu that changes closes under the hand. */
interface UpdateEntry {
  label: string
  /** null: it is under way */
  request: UpdateRequest | null
}

function updateEntry(state: UpdateState, language: Language): UpdateEntry {
  const words = desktopWords(language)
  switch (state.kind) {
    case 'checking':
      return { label: words.checking, request: null }
    case 'available':
      return { label: words.getUpdate(state.version), request: 'download' }
    case 'downloading':
      return { label: words.gettingUpdate(state.version), request: null }
    case 'ready':
      return { label: words.restartTo(state.version), request: 'restart' }
    case 'failed':
      if (state.found) return { label: words.getUpdate(state.found.version), request: 'download' }
      break
    case 'idle':
    case 'by-hand':
    case 'current':
  }
  return { label: sentencesOf(language).tray.checkForUpdates, request: 'check' }
}
