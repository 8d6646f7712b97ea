import fc from 'fast-check'
import type { KnownTargets } from '../types.ts'

/**
 * Texts made of the pieces that mean something to the scanner, so that random text often holds markers, code and
 * pastes.
 */
export const markerTexts = fc
  .array(
    fc.oneof(
      {
        weight: 12,
        arbitrary: fc.constantFrom(
          '<**',
          '**>',
          '<',
          '*',
          '>',
          '"',
          '“',
          '”',
          '\\',
          '\\"',
          '`',
          '``',
          '```',
          '~~~',
          '\n',
          '\n\n',
          '\n\n\n',
          '\r\n',
          ' ',
          ',',
          '，',
          ':',
          '：',
          '/',
          'sm',
          'stopMessage',
          'clock',
          'clear',
          'off',
          'on',
          'ai:off',
          'ai:on',
          '3',
          '0',
          'a',
          '!',
          '#',
          '@',
          'p.m',
          'p',
          '[k]',
          '{',
          '}',
          '<pasted_content id="x">',
          '</pasted_content id="x">',
          '<pasted_content id="y">',
          '</pasted_content id="y">',
          '</pasted_content>',
          '<!--',
          '-->',
          'file://',
          '<file://goals/b.md>',
          '> ',
          '- ',
        ),
      },
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          '<**sm:"go on",3**>',
          '<**clear**>',
          '<**a**>',
          '`<**b**>`',
          '```\n<**c**>\n```',
          '<**sm:on/2,ai:off**>',
          '<**#p.2**>',
          '<**clock:{"time":"2026-01-21T20:30:00-08:00","message":"look"}**>',
          '<**stopMessage:“做”，3**>',
        ),
      },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

/** Every provider, model and key exists. */
export const everything: KnownTargets = { isProvider: () => true, isModel: () => true, isKey: () => true }

/** Providers `glm` (glm-5, meta/llama-3.1:70b; keys main, spare) and `anth` (claude-x, 2; key main). */
export const someTargets: KnownTargets = {
  isProvider: (p) => Object.hasOwn(models, p),
  isModel: (p, m) => models[p]?.includes(m) ?? false,
  isKey: (p, k) => (typeof k === 'number' ? k <= (keys[p]?.length ?? 0) : (keys[p]?.includes(k) ?? false)),
}
const models: Record<string, string[]> = { glm: ['glm-5', 'meta/llama-3.1:70b'], anth: ['claude-x', '2'] }
const keys: Record<string, string[]> = { glm: ['main', 'spare'], anth: ['main'] }
