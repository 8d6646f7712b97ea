import type { AdoptablePane } from '../setup/adopting.ts'
import type { FolderListing } from '../setup/folders.ts'
import type { TerminalChunk, TerminalView } from '../state.ts'
import { clientKinds } from '../words.ts'
import { call, id, takes, type Zod } from './operation.ts'

/** How to start an agent so that it talks to Onward: for that process only, nothing of the person's is edited. */
export interface LaunchPlan {
  terminalId: string
  /** argv[0] is the program, found through the login shell's PATH */
  argv: readonly string[]
  /** added to the person's environment; carries the terminal's key */
  env: Readonly<Record<string, string>>
  /** what wins over that and may send its calls elsewhere: arguments, files of the administrator's */
  elsewhere?: readonly string[]
  /** it is started again when it ends by itself: an engine that is away for a moment then is waited for */
  startsAgain?: boolean
}

const columns = (z: Zod) => z.number().int().min(2).max(1000)
const socket = (z: Zod) => z.string().min(1).max(4_096).startsWith('/')
const paneId = (z: Zod) => z.string().regex(/^%\d+$/)

/** Where agents run. */
export const terminalOperations = {
  terminals: call.query<readonly TerminalView[]>(),
  /**
   * The terminal that a program runs in. `keys`: of terminals, as it inherited them, the nearest first; `pids`: of the
   * processes it descends from. null: it runs in none that is known
   */
  terminalOf: takes((z) =>
    z.object({
      keys: z.array(z.string().max(512)).max(50),
      pids: z.array(z.number().int().positive()).max(100),
    }),
  ).query<string | null>(),
  openTerminal: takes((z) =>
    z.object({
      client: z.enum(clientKinds),
      /** argv for `other`; extra arguments for a known agent */
      args: z.array(z.string()).default([]),
      cwd: z.string().optional(),
      name: z.string().max(200).optional(),
      cols: columns(z).default(120),
      rows: columns(z).default(40),
      /** environment of the person's shell, where the CLI opens the terminal; never logged or stored */
      env: z.record(z.string(), z.string()).optional(),
      /** watched for so many milliseconds: what ends in them with an error counts as not opened */
      watchMs: z.number().int().min(0).max(10_000).optional(),
    }),
  ).mutation<TerminalView>(),
  /** where agents were last started or seen, the last one first */
  recentFolders: call.query<readonly string[]>(),
  /**
   * Names of folders, of no files. `path`: as a person writes it, `~` and what lies in it, too; empty: their home.
   * @throws `folder-not-found`, `folder-not-readable`, `not-a-folder`
   */
  listFolder: takes((z) =>
    z.object({ path: z.string().max(4_096), hidden: z.boolean().default(false) }),
  ).query<FolderListing>(),
  registerTerminal: takes((z) =>
    z.object({
      client: z.enum(clientKinds),
      args: z.array(z.string()).default([]),
      cwd: z.string(),
      name: z.string().optional(),
      /** identity that survives a restart of the client: rebinding moves state by it */
      daemonId: z.string().optional(),
      place: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('tmux'), socket: z.string(), paneId: paneId(z) }),
        z.object({ kind: z.literal('wrapped'), hostId: id(z) }),
        /** no screen: each text is a run of the agent, a child of the host in a session of its own */
        z.object({ kind: z.literal('headless'), hostId: id(z) }),
        /** between an editor and its agent (`onward acp`) */
        z.object({ kind: z.literal('acp'), hostId: id(z) }),
        /**
         * no terminal Onward could type into: stdio is a pipe or a file (`codex exec … | jq`), or a daemon registers
         * itself
         */
        z.object({ kind: z.literal('none') }),
      ]),
    }),
  ).mutation<LaunchPlan>(),
  /**
   * Tmux panes with an agent that is not known yet; looked for now, and only when asked. `sockets`: tmux servers to
   * look on besides those that the engine knows
   */
  adoptablePanes: takes((z) => z.object({ sockets: z.array(socket(z)).max(20).default([]) })).query<
    readonly AdoptablePane[]
  >(),
  /**
   * Registers an agent that was started in a tmux pane by hand, as it was listed; a known one is answered as it is.
   * @throws `pane-unknown`, `pane-changed` (another pane has its id by now), `pane-no-agent`
   */
  adoptPane: takes((z) =>
    z.object({ socket: socket(z), paneId: paneId(z), pid: z.number().int().positive() }),
  ).mutation<TerminalView>(),
  /**
   * The launched agent ended; nothing may be typed there any more. `ending`: how, where the launcher could start it
   * again. Not null: the launcher starts it again after so long, going on with this conversation, or where that is null
   * with the one it was started with
   */
  terminalEnded: takes((z) =>
    z.object({
      terminalId: id(z),
      exitCode: z.number().int().nullable(),
      ending: z
        .object({ signal: z.string().nullable(), asked: z.enum(['person', 'told']).nullable(), resumes: z.boolean() })
        .optional(),
    }),
  ).mutation<{ conversation: string | null; waitMs: number } | null>(),
  closeTerminal: takes(id).mutation<void>({
    commands: [
      {
        usage: 'terminals close <terminal>',
        takes: ['its id'],
        summary: 'end a terminal of Onward',
        description: 'Closes a terminal that lives in Onward, and the agent in it. Others are only forgotten.',
        input: (terminal = '') => terminal,
        json: (_, terminal) => ({ closed: terminal }),
        say: (_, { clean }, terminal) => `Closed ${clean(terminal)}.\n`,
      },
    ],
  }),
  renameTerminal: takes((z) => z.object({ terminalId: id(z), name: z.string().max(200) })).mutation<void>({
    commands: [
      {
        usage: 'terminals rename <terminal> <name>',
        takes: ['its id', 'the new name'],
        summary: 'give a terminal a name',
        description: 'Gives a terminal a name of your own.',
        input: (terminalId = '', name = '') => ({ terminalId, name }),
        json: (_, { terminalId, name }) => ({ renamed: terminalId, name }),
        say: (_, { clean }, { terminalId, name }) => `${clean(terminalId)} is now called ${clean(name)}.\n`,
      },
    ],
  }),
  /**
   * the screen of a terminal, for teaching Onward this screen: its letters are `x`, its digits `9`; signs, colours and
   * layout stay. @throws `terminal-unknown`, `terminal-offline`, `terminal-gone`
   */
  reportScreen: takes(id).query<string>({
    commands: [
      {
        usage: 'terminals screen <terminal>',
        takes: ['its id'],
        summary: 'its screen without your texts, for a report',
        description:
          'Prints what a terminal shows in a form that can be sent to Onward’s maintainers: ' +
          'every letter is an x, every digit a 9; signs, colours and layout stay.',
        examples: [['onward terminals screen term_1 > screen.txt', 'into a file']],
        input: (terminal = '') => terminal,
        json: (report, terminal) => ({ terminal, report }),
        say: (report) => report,
      },
    ],
  }),
  watchTerminal: takes(id).subscription<TerminalChunk>(),
  writeTerminal: takes((z) => z.object({ terminalId: id(z), data: z.string().max(1_048_576) })).mutation<void>(),
  resizeTerminal: takes((z) => z.object({ terminalId: id(z), cols: columns(z), rows: columns(z) })).mutation<void>(),
  /**
   * For a person only: presses the key of a choice that the agent's open dialog offers, in a terminal of Onward's own.
   * `question`, `about`, `choice`: as they were shown. @throws `dialog-changed` where it asks something else by now,
   * `no-key`, `not-ours`, `terminal-unknown`
   */
  answerDialog: takes((z) =>
    z.object({
      terminalId: id(z),
      question: z.string().max(4_000).nullable(),
      about: z.string().max(4_000).nullable(),
      choice: z.string().max(4_000),
    }),
  ).mutation<void>(),
}
