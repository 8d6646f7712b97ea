import type { CheckRun, CheckView, LookTool } from '../../../../shared/review.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import { mayRun } from '../../workspace/checks/state-of.ts'
import type { Checks } from '../../workspace/checks/types.ts'
import type { Found, Workspace } from '../../workspace/types.ts'
import { readLook } from './inspection-input.ts'
import { cutMiddle, cutStart } from './shorten.ts'
import type { Sight } from './types.ts'

/** Of one result; folders hold files that say more than a model can read. */
const mostText = 24_000
const mostOutput = 6_000

export interface Looks {
  /**
   * Never rejects. `signal` ends a look when the reviewer's time is over; a check has a time of its own, and ends with
   * `stop`.
   */
  take(
    tool: LookTool,
    json: string,
    signals: { signal: AbortSignal; stop: AbortSignal },
  ): Promise<{ kind: 'seen'; text: string } | { kind: 'bad'; text: string }>
  /** in their order */
  readonly sights: readonly Sight[]
  readonly checks: readonly CheckRun[]
  readonly outputs: ReadonlyMap<string, string>
}

export interface LooksDeps {
  workspace: Workspace
  checks: Pick<Checks, 'run'>
  declared: readonly CheckView[]
}

/** The tools of a reviewer, and all it saw with them. None of them writes. */
export function createLooks({ workspace, checks, declared }: LooksDeps): Looks {
  const sights: Sight[] = []
  const runs: CheckRun[] = []
  const outputs = new Map<string, string>()

  const note = (tool: LookTool, asked: string, { ok, text, say, what }: Found): string => {
    const shown = cutMiddle(text, mostText)
    sights.push({ look: { tool, what, ok, say }, asked, text: shown })
    return shown
  }

  async function runCheck(name: string, stop: AbortSignal): Promise<Found> {
    const check = declared.find((one) => one.name === name)
    const refuse = (text: string, say: string): Found => ({ ok: false, text, say, what: name })
    if (!check)
      return refuse(
        `No check “${name}” is declared. Declared are: ${declared.map((one) => one.name).join(', ') || 'none'}.`,
        'not declared',
      )
    if (!mayRun(check))
      return refuse(`A person has to allow the check “${name}” first. It was not run.`, 'not allowed yet')
    try {
      const { run, output } = await checks.run(workspace.folder, name, stop)
      runs.push(run)
      outputs.set(name, output)
      const ended =
        run.outcome === 'passed'
          ? 'It passed.'
          : `It did not pass: ${run.outcome}${run.exitCode === null ? '' : `, exit code ${run.exitCode}`}.`
      return {
        ok: run.outcome !== 'not-started' && run.outcome !== 'stopped',
        what: name,
        say: run.say,
        text: `${ended} ${run.say}\nThe end of its output:\n${cutStart(output, mostOutput)}`,
      }
    } catch (error) {
      return refuse(`It was not run. ${messageOf(error)}`, OnwardError.isInstance(error) ? error.code : 'failed')
    }
  }

  return {
    sights,
    outputs,
    checks: runs,
    async take(tool, json, { signal, stop }) {
      const read = readLook(tool, json)
      if (!read.ok) return { kind: 'bad', text: read.why }
      const { asked, look } = read.plan({ workspace, signal, runCheck: (name) => runCheck(name, stop) })
      try {
        return { kind: 'seen', text: note(tool, asked, await look()) }
      } catch (error) {
        return {
          kind: 'seen',
          text: note(tool, asked, { ok: false, text: messageOf(error), say: 'failed', what: asked }),
        }
      }
    },
  }
}
