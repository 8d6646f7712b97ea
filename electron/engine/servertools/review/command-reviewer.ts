import { basename } from 'node:path'
import type { Config } from '../../../../shared/config/schema.ts'
import type { Random } from '../../base/ids.ts'
import type { ProgramEnd, RunProgram } from '../../workspace/types.ts'
import { contextOf } from './context.ts'
import { createFence } from './fence.ts'
import { commandInstructions } from './instructions.ts'
import { cutStart } from './shorten.ts'
import type { Reviewer, ReviewerReport, ReviewerWord } from './types.ts'
import { findVerdict } from './verdict.ts'

export interface CommandReviewerDeps {
  run: RunProgram
  random: Random
  /** where it runs when the agent's folder is unknown */
  emptyFolder(): string
  config(): Config['stopMessage']['review']
}

const mostOutput = 65_536
const mostError = 600

/** A program of the user's that inspects by itself: the question on its stdin, the verdict on its stdout. */
export function createCommandReviewer({ run, random, emptyFolder, config }: CommandReviewerDeps): Reviewer {
  return async (ask, signal) => {
    const { command, timeoutSeconds, context } = config()
    const by = basename(command[0] ?? '') || 'the review command'
    const report = (word: ReviewerWord): ReviewerReport => ({
      word,
      by,
      inspections: [],
      checks: [],
      outputs: new Map(),
      usage: null,
      costUsd: null,
    })
    if (command.length === 0)
      return report(failed('no-command', 'No program is set to review with (stopMessage.review.command).'))
    const fence = createFence(random)
    const stdin = `${commandInstructions(fence.mark, ask.folder !== null)}\n\n${contextOf(ask, context, fence)}\n`
    const end = await run(
      {
        argv: command,
        cwd: ask.folder ?? emptyFolder(),
        stdin,
        timeoutMs: timeoutSeconds * 1_000,
        outputChars: mostOutput,
      },
      signal,
    )
    return report(wordOf(end, by, timeoutSeconds))
  }
}

const failed = (code: string, message: string): ReviewerWord => ({ kind: 'failed', code, message })

function wordOf(end: ProgramEnd, by: string, seconds: number): ReviewerWord {
  const said = endOf(end)
  switch (end.kind) {
    case 'not-started':
      return failed('not-started', end.problem ?? `${by} did not start.`)
    case 'stopped':
      return failed('stopped', 'The review was stopped.')
    case 'timed-out':
      return failed('timed-out', `${by} gave no verdict within ${seconds} s.${said}`)
    case 'exited': {
      if (end.exitCode !== 0)
        return failed(
          'command-failed',
          `${by} ended with ${end.exitCode === null ? 'a signal' : `exit code ${end.exitCode}`}.${said}`,
        )
      const read = findVerdict(end.stdout)
      return read.ok
        ? { kind: 'verdict', verdict: read.verdict }
        : failed('bad-verdict', `${by} gave no verdict that can be read. ${read.why}${said}`)
    }
  }
}

/** Returns the end of its error output. */
function endOf({ stderr }: ProgramEnd): string {
  const said = stderr.replace(/\s+/g, ' ').trim()
  return said === '' ? '' : ` Its last words: ${cutStart(said, mostError)}`
}
