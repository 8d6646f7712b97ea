/** The output of `onward service`. */
import type { ServiceStatus } from '../service/status.ts'
import type { Advice, ServiceManager, Step } from '../service/types.ts'
import { oneLine } from './clean.ts'
import { facts } from './columns.ts'
import type { Words } from './print.ts'
import { typed } from './typed.ts'

const indented = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${(/^ */.exec(line)?.[0] ?? '') + oneLine(line)}`.trimEnd())
    .join('\n')

export function stepRows(steps: readonly Step[], { style }: Words): string {
  return steps.map(({ argv, why }) => `  ${oneLine(typed(argv))}  ${style.quiet(`(${why})`)}\n`).join('')
}

export interface InstallShown {
  manager: ServiceManager
  files: readonly { path: string; text: string | null; replaces: boolean }[]
  kept: readonly string[]
  /** the engine that is asked to end */
  ends: { pid: number; version: string } | null
  steps: readonly Step[]
}

export function installText({ manager, files, kept, ends, steps }: InstallShown, words: Words): string {
  const { style } = words
  return [
    ...files.map(({ path, text, replaces }) => {
      const file = style.strong(oneLine(path))
      if (text === null) return `Removes ${file}.\n`
      return `${replaces ? 'Replaces' : 'Writes'} the ${manager.title} ${file}:\n\n${indented(text)}\n`
    }),
    ...kept.map((copy) => `What is there now is kept as ${oneLine(copy)}.\n`),
    ...(ends === null
      ? []
      : [
          `Asks the engine that runs now (pid ${ends.pid}, Onward ${oneLine(ends.version)}) ` +
            'to end; agents live on. A desktop app that has it ends, too.\n',
        ]),
    `Runs:\n${stepRows(steps, words)}`,
  ].join('\n')
}

export const adviceText = (advice: readonly Advice[], { style }: Words): string =>
  advice
    .map(
      ({ say, command }) =>
        `${style.shape('needs', '◆')} ${say}\n${command === null ? '' : `    ${style.strong(oneLine(command))}\n`}`,
    )
    .join('')

export function statusText(status: ServiceStatus, words: Words): string {
  const { style } = words
  const { installed, running, enabled, pid, engine } = status
  if (installed === 'no')
    return (
      `${style.shape('idle', '○')} No service is installed for this home.\n  ` +
      `${style.quiet('onward service install shows what it would write, and asks.')}\n`
    )
  const head = running
    ? `${style.shape('working', '●')} Onward runs as a service${pid === null ? '' : ` ${style.quiet(`pid ${pid}`)}`}\n`
    : `${style.shape('idle', '○')} The service of Onward does not run\n`
  const about = facts(
    [
      ['File', status.file],
      ...(status.socket ? [['Listens', `${status.socket.listens ?? 'not'}, ${status.socket.file}`] as const] : []),
      ['At login', enabled === null ? 'not known' : enabled ? 'is started' : 'is not started'],
      ['Starts', status.command === null ? 'see the file' : typed(status.command)],
      ['Written by', status.version === null ? 'somebody else' : `Onward ${status.version}`],
      ['Engine', engine === null ? 'none' : `Onward ${engine.version}, pid ${engine.pid}`],
      ['Log', status.log],
    ],
    style.quiet,
  )
  const wrong = status.problems
    .map(({ say, mend }) => `${style.shape('failed', '▲')} ${oneLine(say)}\n    ${oneLine(mend)}\n`)
    .join('')
  return `${head}${about}${wrong}${adviceText(status.advice, words)}`
}
