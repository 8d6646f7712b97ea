import { sentencesOf } from '../../shared/sentences/index.ts'
import type { EngineStatus, SessionView } from '../../shared/state.ts'
import type { Language } from '../../shared/words.ts'

/** What the tray shows, as plain data. Icon by priority: error > needs you > paused > working > idle (design README). */
export interface TrayView {
  icon: TrayIcon
  language: Language
  status: string
  tooltip: string
  baseUrl: string | null
  paused: boolean
  /** sessions that need a person, most urgent first, at most nine */
  asking: readonly { sessionId: string; line: string }[]
  /** how many more there are */
  more: number
}

export type TrayIcon = 'error' | 'needs-you' | 'paused' | 'working' | 'idle'

/** More would make the menu longer than small screens (spec 07). */
const MOST_SESSIONS = 9

export function trayView(status: EngineStatus | null, sessions: readonly SessionView[], now: number): TrayView {
  if (!status) {
    const { tray } = sentencesOf('en')
    return { icon: 'error', language: 'en', status: tray.stopped, tooltip: tray.stopped, baseUrl: null, paused: false, asking: [], more: 0 }
  }
  const { tray } = sentencesOf(status.language)
  const asking = (['needs', 'failed'] as const).flatMap((shape) => sessions.filter((s) => s.shape === shape))
  const working = sessions.filter((s) => s.shape === 'working' || s.shape === 'held').length
  return {
    icon: status.configProblem ? 'error' : asking.length > 0 ? 'needs-you' : status.paused ? 'paused' : working > 0 ? 'working' : 'idle',
    language: status.language,
    status: tray.status({ host: status.host, port: status.port, working, paused: status.paused }),
    tooltip: tray.tooltip({ working, needsYou: asking.length, paused: status.paused }),
    baseUrl: `http://${status.host}:${status.port}`,
    paused: status.paused,
    asking: asking.slice(0, MOST_SESSIONS).map((s) => ({ sessionId: s.id, line: tray.session(s.name, s.shape, s.say, now) })),
    more: Math.max(0, asking.length - MOST_SESSIONS),
  }
}
