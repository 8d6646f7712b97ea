import { nameOf } from '../../router/overrides.ts'
import { writeQuoted } from '../write-goal.ts'
import type { Instruction, StopMessageText } from '../types.ts'

/** The canonical way to write an instruction; reading it gives the same instruction again. */
export function renderMarker(instruction: Instruction): string {
  switch (instruction.kind) {
    case 'stop-message-set':
      return (
        '<**sm:' +
        [renderText(instruction.text), ...renderMax(instruction.max), instruction.review ? 'ai:on' : 'ai:off'].join(
          ',',
        ) +
        '**>'
      )
    case 'stop-message-clear':
      return '<**sm:off**>'
    case 'clock-clear':
      return '<**clock:clear**>'
    case 'clock-set':
      return `<**clock:${renderJson({ time: instruction.time, message: instruction.message })}**>`
    case 'routing-allow':
      return `<**!${instruction.providers.join(',')}**>`
    case 'routing-prefer':
      return `<**!${instruction.provider}.${instruction.model}**>`
    case 'routing-force':
      return `<**${instruction.provider}.${instruction.model}**>`
    case 'routing-disable':
      return `<**#${nameOf(instruction.target)}**>`
    case 'routing-enable':
      return `<**@${nameOf(instruction.target)}**>`
    case 'clear':
      return '<**clear**>'
    case 'invalid':
      return instruction.marker
  }
}

/** Unbounded is what `sm:` means without a number. */
const renderMax = (max: number | null): string[] => (max === null ? [] : [String(max)])

function renderText(text: StopMessageText): string {
  switch (text.kind) {
    case 'text':
      return writeQuoted(text.text)
    case 'default':
      return 'on'
    case 'file':
      return `<file://${text.path}>`
  }
}

/** JSON in which the scanner finds the same quotes as a JSON reader does, and no marker. */
const renderJson = (value: object): string =>
  JSON.stringify(value)
    .replace(/\\(.)/g, (escape, char: string) => (char === '\\' ? '\\u005c' : escape))
    .replaceAll('<**', '\\u003c**')
