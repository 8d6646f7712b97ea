import type { CheckRun, CheckView, InspectionTool } from '../../../../shared/review.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import { mayRun } from '../../workspace/checks/state-of.ts'
import type { Checks } from '../../workspace/checks/types.ts'
import type { Found, Workspace } from '../../workspace/types.ts'
import { readInspection } from './inspection-input.ts'
import { cutMiddle, cutStart } from './shorten.ts'
import type { InspectionRecord } from './types.ts'

/** Characters of one result; folders hold files longer than a model can read. */
const mostText = 24_000
const mostOutput = 6_000

export interface InspectionTools {
  /**
   * Never rejects. `signal` ends an inspection when the reviewer's time is over; a check has a time of its own, and
   * ends with `stop`.
   */
  take(
    tool: InspectionTool,
    json: string,
    signals: { signal: AbortSignal; stop: AbortSignal },
  ): Promise<{ kind: 'seen'; text: string } | { kind: 'bad'; text: string }>
  /** in their order */
  readonly records: readonly InspectionRecord[]
  readonly checks: readonly CheckRun[]
  readonly outputs: ReadonlyMap<string, string>
}

export interface InspectionToolsDeps {
  workspace: Workspace
  checks: Pick<Checks, 'run'>
  declared: readonly CheckView[]
}

/** The tools of a reviewer, and all it saw with them. None of them writes. */
export function createInspectionTools({ workspace, checks, declared }: InspectionToolsDeps): InspectionTools {
  const records: InspectionRecord[] = []
  const runs: CheckRun[] = []
  const outputs = new Map<string, string>()

  const note = (tool: InspectionTool, asked: string, { ok, text, say, what }: Found): string => {
    const shown = cutMiddle(text, mostText)
    records.push({ inspection: { tool, what, ok, say }, asked, text: shown })
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
    records,
    outputs,
    checks: runs,
    async take(tool, json, { signal, stop }) {
      const read = readInspection(tool, json)
      if (!read.ok) return { kind: 'bad', text: read.why }
      const { asked, run } = read.plan({ workspace, signal, runCheck: (name) => runCheck(name, stop) })
      try {
        return { kind: 'seen', text: note(tool, asked, await run()) }
      } catch (error) {
        return {
          kind: 'seen',
          text: note(tool, asked, { ok: false, text: messageOf(error), say: 'failed', what: asked }),
        }
      }
    },
  }
}
