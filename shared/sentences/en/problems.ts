import { wordOf, type ProblemReport } from '../../problems.ts'

/**
 * The engine's errors are in English already; only those about the command line get other words for a reader of a page.
 */
export function problem({ code, said, facts }: ProblemReport): string {
  return own[code]?.((name) => wordOf(facts, name)) ?? said
}

const own: Readonly<Record<string, (fact: (name: string) => string) => string>> = {
  'session-unknown': () => 'This session is not known any more.',
  'terminal-unknown': () => 'This terminal is not known any more.',
  'alarm-unknown': () => 'This alarm is not there any more.',
  'turn-unknown': () => 'This turn is not recorded any more.',
  'marker-unknown': () => 'This marker does not wait any more.',
}
