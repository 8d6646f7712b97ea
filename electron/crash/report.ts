/**
 * The report a person can send when Onward ended by itself: plain text without keys and without texts of conversations.
 */
import { createRedactor } from '../engine/secrets/redact.ts'
import { OnwardError, systemCodeOf } from '../engine/base/errors.ts'
import { redactText } from '../engine/records/redact.ts'

/**
 * The part that ended: the engine without a window, the app, only its page; `engine`: one that could not say which it
 * was.
 */
export type CrashPlace = 'serve' | 'desktop' | 'window' | 'engine'

export interface CrashFacts {
  where: CrashPlace
  at: number
  /** what was thrown; a text where there is nothing but a sentence */
  what: unknown
  version: string
  system: string
  runtime: string
  /** how long it ran, milliseconds */
  ranFor: number
  /** the log's last lines, oldest first */
  log: readonly string[]
  /** values that must not be in it */
  secrets: readonly string[]
  /** the person's folder, which has their name in it */
  personsFolder: string
}

const places: Record<CrashPlace, string> = {
  serve: 'The engine (onward serve)',
  desktop: 'The desktop app',
  engine: 'The engine',
  window: 'The window of the desktop app',
}

export function crashReport(facts: CrashFacts): string {
  const redactor = createRedactor(facts.secrets)
  const clean = (line: string) => redactText(redactor.text(line).replaceAll(facts.personsFolder, '~'))
  return [
    `${places[facts.where]} ended unexpectedly at ${new Date(facts.at).toISOString()}.`,
    '',
    `Onward ${facts.version}`,
    facts.system,
    facts.runtime,
    `ran for ${Math.round(facts.ranFor / 1000)} s`,
    '',
    'What happened:',
    ...whatLines(facts.what).map((line) => `  ${clean(line)}`),
    '',
    'The last lines of the log:',
    ...facts.log.map((line) => `  ${clean(line)}`),
    '',
  ].join('\n')
}

function whatLines(what: unknown, depth = 0): string[] {
  if (typeof what === 'string') return [what]
  if (!(what instanceof Error)) return [`a thrown ${what === null ? 'null' : typeof what}`]
  const code = systemCodeOf(what)
  const head = `${what.name}${code === null ? '' : ` (${code})`}: ${messageOf(what, code)}`
  // Only where it was: the first lines of a stack repeat the message.
  const frames = (what.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return [
    head,
    ...frames.slice(0, 30),
    ...(what.cause === undefined || depth > 3 ? [] : ['caused by', ...whatLines(what.cause, depth + 1)]),
  ]
}

/** Ours and the system's say nothing of what agents wrote. Others quote what they could not read. */
const messageOf = (error: Error, code: string | null): string =>
  OnwardError.isInstance(error) || (code !== null && /^E[A-Z0-9]+$/.test(code))
    ? error.message
    : withoutQuoted(error.message)

/** A quotation with more than a word in it may be a person's text; one that is not closed reaches to the end. */
const withoutQuoted = (message: string): string =>
  (message.split('\n', 1)[0] ?? '')
    .slice(0, 500)
    .replaceAll(/(?<!\w)(["'`“‘])(.*?)(["'`”’]|$)/g, (all, open: string, text: string, close: string) =>
      /\s/.test(text) || text.length > 24 ? `${open}…${close}` : all,
    )
