import type { BackgroundWork } from '../../../../shared/background.ts'
import type { ClientKind } from '../../../../shared/words.ts'

/** Claude Code and Qwen Code: a monitor's event has no status and ends nothing. */
const wakes = /<task-notification>\s*<task-id>(?<id>[\w-]+)<\/task-id>/
const notified = new RegExp(
  '<task-id>(?<id>[\\w-]+)</task-id>(?:\\s*<(?:tool-use-id|output-file|task-type|kind)>[^<]*</[\\w-]+>)*' +
    '\\s*<status>(?!running\\b)',
  'g',
)

/**
 * Claude Code 2.1.332: shells, agents and monitors measured; commands that it moved to the background itself, a
 * compaction's words on them, TaskOutput, BashOutput and KillShell (of earlier releases) from its package. All of them
 * end with a notification, which begins a turn.
 */
const claude: BackgroundProfile = {
  starts: [
    {
      kind: 'command',
      tools: ['Bash', 'PowerShell'],
      result:
        /(?:running in background with ID: |manually backgrounded by user with ID: |moved to the background \(ID: )(?<id>[\w-]+)/g,
      named: ['command'],
    },
    {
      kind: 'agent',
      tools: ['Agent', 'Task'],
      result: /^Async agent launched successfully[\s\S]*?\bagentId: (?<id>[\w-]+)/g,
      named: ['description'],
    },
    { kind: 'monitor', tools: ['Monitor'], result: /^Monitor started \(task (?<id>[\w-]+)/g, named: ['description'] },
    { kind: 'command', text: /\bBackground (?:shell|monitor) (?<id>[\w-]+) \("(?<what>[^"]*)"\) is still running/g },
  ],
  ends: [
    { text: notified },
    { tools: ['TaskStop'], result: /^\{"message":"Successfully stopped task: (?<id>[\w-]+)/g },
    { tools: ['TaskOutput'], result: /<task_id>(?<id>[\w-]+)<\/task_id>[\s\S]*?<status>(?!running\b)/g },
    { tools: ['BashOutput'], result: /<status>(?!running\b)/g, id: 'bash_id' },
    { tools: ['KillShell', 'KillBash'], result: /Successfully killed shell: (?<id>[\w-]+)/g },
  ],
  traces: [
    'running in background with ID: ',
    'manually backgrounded by user with ID: ',
    'moved to the background (ID: ',
    'Async agent launched successfully',
    'Monitor started (task ',
    ' is still running',
  ],
  wakes,
}

/**
 * Codex CLI 0.171.0, measured. The end of a terminal appears in no request before the next `write_stdin`; its screen
 * shows it. Its sub-agents are seen by their own requests: `spawn_agent` answers with its path, `followup_task` with
 * nothing, both with a sentence if they failed.
 */
const codex: BackgroundProfile = {
  starts: [
    {
      kind: 'command',
      tools: ['exec_command'],
      result: /^Process running with session ID (?<id>\d+)/gm,
      named: ['cmd'],
    },
  ],
  ends: [
    { tools: ['write_stdin'], result: /^Process exited with code/gm, id: 'session_id' },
    { tools: ['write_stdin'], result: /Unknown process id (?<id>\d+)/g },
  ],
  delegates: { tools: ['spawn_agent', 'followup_task'], done: /^(?:\{.*"(?:task_name|agent_id)"|$)/ },
  traces: ['Process running with session ID '],
}

/** Qwen Code 0.24.4. */
const qwen: BackgroundProfile = {
  starts: [
    {
      kind: 'command',
      tools: ['run_shell_command'],
      result: /^Background shell started\. id: (?<id>[\w-]+)/gm,
      named: ['command'],
    },
    {
      kind: 'agent',
      tools: ['agent', 'task'],
      result: /^Background agent launched successfully\.\s+task_id: (?<id>[\w.-]+)/g,
      named: ['description'],
    },
  ],
  ends: [{ text: notified }],
  traces: ['Background shell started. id: ', 'Background agent launched successfully'],
  wakes,
}

/** Kimi Code 2.1.0, from its package. */
const kimi: BackgroundProfile = {
  starts: [
    {
      kind: 'command',
      tools: ['Bash'],
      result: /^task_id: (?<id>[\w-]+)\n(?:(?!status: ).*\n)*status: running/gm,
      named: ['command'],
    },
    {
      kind: 'agent',
      tools: ['Agent'],
      result: /^task_id: (?<id>[\w-]+)\n(?:(?!status: ).*\n)*status: running/gm,
      named: ['description'],
    },
  ],
  ends: [
    { text: /<notification [^>]*\btype="task\.(?!started)\w+"[^>]*\bsource_id="(?<id>[\w-]+)"/g },
    {
      tools: ['TaskStop', 'TaskOutput'],
      result: /^task_id: (?<id>[\w-]+)\n(?:(?!status: ).*\n)*status: (?!running\b|pending\b)/gm,
    },
  ],
  traces: ['status: running'],
}

/** opencode 1.18.33, from its package: its shell has no background, a task of its agents does. */
const opencode: BackgroundProfile = {
  starts: [
    { kind: 'agent', tools: ['task'], result: /^<task id="(?<id>[\w-]+)" state="running">/g, named: ['description'] },
  ],
  ends: [{ text: /^<task id="(?<id>[\w-]+)" state="(?!running")/g }],
  traces: ['Background task '],
}

/** Gemini CLI 0.61.0, from its package. */
const gemini: BackgroundProfile = {
  starts: [
    {
      kind: 'command',
      tools: ['run_shell_command'],
      result: /^Command moved to background \(PID: (?<id>\d+)\)/gm,
      named: ['command'],
    },
  ],
  ends: [{ text: /\[Background command completed [^\]]*\bbackground-(?<id>\d+)\.log\]/g }],
  traces: ['Command moved to background (PID: '],
}

const none: BackgroundProfile = { starts: [], ends: [], traces: [] }

export const backgroundProfiles: Readonly<Record<ClientKind, BackgroundProfile>> = {
  claude,
  codex,
  qwen,
  kimi,
  opencode,
  gemini,
  kilo: opencode,
  copilot: none,
  other: none,
}

/**
 * How a client's requests show that work of its session goes on in the background, as data. Facts were measured with
 * unmodified clients against a scripted upstream, or read in their packages where that is said.
 */
interface BackgroundProfile {
  /** `named`: members of the call's arguments that say what it is, the first one that is there */
  starts: readonly (WorkSign & { kind: BackgroundWork['kind']; named?: readonly string[] })[]
  ends: readonly WorkSign[]
  /**
   * calls that set a sub-agent to work which is known by its own requests alone, and the result of one that did; the
   * first of those requests may come after the main agent has stopped
   */
  delegates?: { tools: readonly string[]; done: RegExp }
  /** an event of such work, which begins a turn */
  wakes?: RegExp
  /** words of which at least one is in the bytes of every start, as every JSON writer writes them */
  traces: readonly string[]
}

/** Expressions are global. Their group `id` names the work, the group `what` says what it is. */
export type WorkSign =
  /** in a text that the client itself wrote into a user message, or put between messages */
  | { text: RegExp }
  /** in the result of a call to one of these tools; `id`: the member of its arguments that names the work */
  | { tools: readonly string[]; result: RegExp; id?: string }
