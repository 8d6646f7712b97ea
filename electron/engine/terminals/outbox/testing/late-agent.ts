import type { Clock } from '../../../base/clock.ts'
import type { Composer } from '../../agents/types.ts'
import type { Assessment, TypingPort, Written } from '../../typing/port.ts'
import type { TerminalReading } from '../../types.ts'

/** How the terminal takes one order. `lost`: carried out, and its answer is none; `cut`: its second half is late. */
export type Fate = 'ok' | 'refused' | 'lost' | 'dropped' | 'cut' | 'slow'

export interface Temper {
  /** a PTY knows of a person's keys at once; tmux knows the cursor that is drawn */
  place: 'pty' | 'tmux'
  /** ms from a change of the line to the screen that shows it */
  drawMs: number
  /** ms that the agent lets its input lie, key by key */
  readMs: readonly number[]
  /** of each order to the terminal, in order; `ok` when there are no more */
  fates: readonly Fate[]
  /** of each reading */
  looks: readonly ('ok' | 'refused' | 'slow')[]
}

export interface Sent {
  text: string
  by: 'onward' | 'person'
}

interface Screen {
  line: string
  busy: boolean
  dialog: boolean
}

const cutMs = 7_000
/** tmux is given up after this */
const silentMs = 4_000
const quietMs = 1_500

/**
 * An agent in a terminal, as bytes and time: what is typed is read late, drawn later still, in pieces or not at all;
 * the terminal refuses, is slow, or loses its answer. `onSent`: a message left the composer.
 */
export function lateAgent(clock: Clock, temper: Temper, onSent: (sent: Sent) => void) {
  const sent: Sent[] = []
  let now: Screen = { line: '', busy: false, dialog: false }
  let drawn: Screen = now
  let lastRead = 0
  let keys = 0
  let personAt = -Infinity
  /** keys of a person in the line, as typing/keystrokes.ts counts them */
  let inLine = 0
  let typedLast = ''
  let [orders, looks, reads] = [0, 0, 0]

  const change = (patch: Partial<Screen>) => {
    now = { ...now, ...patch }
    const shown = now
    clock.after(temper.drawMs, () => {
      drawn = shown
    })
  }
  /** The agent reads keys in the order in which they came. */
  const arrive = (act: () => void, extraMs = 0) => {
    const ms = temper.readMs[reads++] ?? 0
    lastRead = Math.max(lastRead, clock.monotonic() + ms + extraMs)
    clock.after(lastRead - clock.monotonic(), act)
  }
  const add = (text: string) => () => {
    if (!now.dialog) change({ line: now.line + text })
  }
  const enter = (by: Sent['by']) => () => {
    const text = now.line.trim()
    if (now.dialog || text === '') return
    const message = { text, by }
    sent.push(message)
    change({ line: '', busy: true })
    onSent(message)
  }
  const erase = () => {
    const lines = now.line.split('\n').slice(0, -1)
    if (!now.dialog) change({ line: lines.join('\n') })
  }
  const momentOf = () => (temper.place === 'pty' ? `${keys}` : `${drawn.line.length} ${drawn.dialog}`)
  const silent = () =>
    new Promise<never>((_, reject) => {
      clock.after(silentMs, () => reject(new Error('the terminal does not answer')))
    })

  const order = async (seen: Assessment, act: () => void, halves?: readonly [() => void, () => void]) => {
    const fate = temper.fates[orders++] ?? 'ok'
    if (fate === 'refused') throw new Error('the terminal refuses')
    if (fate === 'slow') return silent()
    const written: Written = seen.moment === momentOf() ? 'written' : 'moved'
    if (written === 'moved') return written
    if (fate === 'cut' && halves) {
      arrive(halves[0])
      arrive(halves[1], cutMs)
    } else if (fate !== 'dropped') arrive(act)
    if (fate === 'lost') return silent()
    return written
  }
  const port: TypingPort = {
    async assess() {
      const fate = temper.looks[looks++] ?? 'ok'
      if (fate === 'refused') throw new Error('the screen can not be read')
      if (fate === 'slow') return silent()
      const composer: Composer = drawn.line === '' ? { kind: 'empty' } : { kind: 'text', text: drawn.line }
      const recent = clock.monotonic() - personAt < quietMs
      if (!recent && (composer.kind === 'empty' || drawn.line.trim() === typedLast)) inLine = 0
      const typing = temper.place === 'pty' && (recent || inLine > 0)
      return { reading: readingOf(drawn, composer, typing), composer, statusSerial: 0, moment: momentOf() }
    },
    writeText(text, { seen }) {
      typedLast = text
      const half = Math.floor(text.length / 2)
      return order(seen, add(text), [add(text.slice(0, half)), add(text.slice(half))])
    },
    pressEnter: (seen) => order(seen, enter('onward')),
    pressSpace: (seen) => order(seen, add(' ')),
    eraseLine: (seen) => order(seen, erase),
    hearsRequests: () => true,
  }
  const person = (left: number, act: () => void) => {
    keys++
    inLine = left
    personAt = clock.monotonic()
    arrive(act)
  }
  return {
    port,
    sent,
    get line() {
      return now.line
    },
    /** its answer is over */
    rest: () => change({ busy: false }),
    dialog: (open: boolean) => change({ dialog: open }),
    types: (words: string) => person(inLine + words.length, add(words)),
    enters: () => person(0, enter('person')),
    clears: () =>
      person(0, () => {
        if (!now.dialog) change({ line: '' })
      }),
  }
}
export type LateAgent = ReturnType<typeof lateAgent>

function readingOf({ busy, dialog }: Screen, composer: Composer, typing: boolean): TerminalReading {
  if (dialog) return { kind: 'hold', reason: { code: 'dialog-open' } }
  if (busy) return { kind: 'hold', reason: { code: 'agent-busy' } }
  if (typing) return { kind: 'hold', reason: { code: 'typing' } }
  return composer.kind === 'text'
    ? { kind: 'composer-holds', text: composer.text }
    : { kind: 'ready', bracketedPaste: true }
}
