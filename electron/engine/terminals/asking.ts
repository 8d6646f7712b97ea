import { permissionTo } from '../../../shared/sentences/needs.ts'
import type { AskedView } from '../../../shared/state.ts'

/** Words of signs that say only that something is open. */
const unsaid = /^(?:dialog|menu|blocked|permission|question|a question)$/

/** A permission offers to say yes, in whatever words; a question has answers of its own. */
const yes = /^(?:yes|allow|approve|accept|proceed|trust|是|允许|同意|批准)/i

/**
 * Returns the question in the form that shared/sentences reads: `permission: rm -rf build`, `permission to edit:
 * src/x.ts`, `question: Which colour?`. If the agent says it itself, or the screen can't be read, it stays as it came.
 */
export function saidOf(what: string | undefined, asked: AskedView | null): string {
  const said = what ?? 'a question'
  if (!asked || !unsaid.test(said)) return said
  const wants = asked.wants ?? commandIn(asked.about)
  if (wants) return permissionTo(wants.act, wants.what)
  if (asked.choices.some(({ label }) => yes.test(label))) return 'permission'
  return asked.question === null ? said : `question: ${asked.question}`
}

/** In an unknown dialog only a command shows by itself what it is. */
function commandIn(about: string | null): AskedView['wants'] {
  const command = about?.split('\n').findLast((line) => line.startsWith('$ '))
  return command === undefined ? undefined : { act: 'run', what: command.slice(2) }
}
