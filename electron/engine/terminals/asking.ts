import type { AskedView } from '../../../shared/state.ts'

/** Words of signs that say only that something is open. */
const unsaid = /^(?:dialog|menu|blocked|permission|question|a question)$/

/** A permission offers to say yes, in whatever words; a question has answers of its own. */
const yes = /^(?:yes|allow|approve|accept|proceed|trust|是|允许|同意|批准)/i

/**
 * What is asked, in the form that shared/sentences reads: `permission: rm -rf build`, `question: Which colour?`. Where
 * the agent says it itself, or the screen can't be read, as it came.
 */
export function saidOf(what: string | undefined, asked: AskedView | null): string {
  const said = what ?? 'a question'
  if (!asked || !unsaid.test(said)) return said
  const about = subjectOf(asked.about)
  if (asked.choices.some(({ label }) => yes.test(label))) return about === null ? 'permission' : `permission: ${about}`
  return asked.question === null ? said : `question: ${asked.question}`
}

/** The command where one stands there, else the last line: agents put what it is about right above the question. */
function subjectOf(about: string | null): string | null {
  const lines = about?.split('\n') ?? []
  const command = lines.findLast((line) => line.startsWith('$ '))
  return command?.slice(2) ?? lines.at(-1) ?? null
}
