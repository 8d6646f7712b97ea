import type { AskedAct } from '../../../../shared/sentences/needs.ts'
import type { ClientKind } from '../../../../shared/words.ts'
import type { Color, ScreenView } from '../screen/view.ts'
import type { ComposerRoom } from '../types.ts'
import type { SeenInstead } from './screen-clue.ts'

/**
 * The state of a client's screen, decided from one reading. Only `idle` allows typing. `signal`: only its title or its
 * own report says so, while the rest of its screen is idle.
 */
export type ScreenState =
  | { kind: 'idle'; composer: Composer }
  | { kind: 'busy'; composer: Composer; signal?: true }
  | { kind: 'dialog'; what: string; composer: Composer; signal?: true }
  /** a text stands in an input line of the agent's that belongs to no conversation, or to another one */
  | { kind: 'elsewhere'; composer: Composer }
  | ({ kind: 'unknown' } & Partial<SeenInstead>)

/**
 * Takes the place, in a composer's text, of content that the client shows by a stand-in (object replacement character).
 */
export const STAND_IN = '\ufffc'

/** The place a person writes in. Placeholder and suggestion (“ghost”) text counts as empty. */
export type Composer =
  | { kind: 'empty' }
  | { kind: 'text'; text: string; room?: ComposerRoom }
  /** the client shows a short stand-in for a long paste */
  | { kind: 'paste' }
  /** its place or its content is not known */
  | { kind: 'unseen' }

/**
 * Where the composer is: rows [top, bottom], text from column `left` on, up to `right` where an edge stands there.
 * `from`: the column at which the conversation begins, where something else stands at its left.
 */
export interface ComposerPlace {
  top: number
  bottom: number
  left: number
  right?: number
  from?: number
}

/** The mark of one of an agent's permission dialogs, and the place of its subject. */
export interface AskRule {
  act: AskedAct
  /** a line of the dialog; its group is the subject */
  line: RegExp
  /**
   * where the subject stands, if not in the line itself: in the next one, in the one right above the question, or
   * between two dashed rules, of which the first line counts
   */
  stands?: 'next' | 'last' | 'between-dashes'
}

/** A line that shows work going on, in the agent's own place for it: names and answers may hold the same words. */
export interface BusySign {
  line: RegExp
  /** in the rows above the composer, or below it */
  where: 'above' | 'below'
  /** the line's dim characters alone are looked at */
  dim?: true
}

/** How a client's screen is read: data, so that a new client or release is a change of one file. */
export interface ScreenFacts {
  /** null when the composer isn't positively there */
  findComposer(view: ScreenView): ComposerPlace | null
  /** an input line that is no conversation's: a text that came there, as the person went there, is taken out again */
  otherInput?(view: ScreenView): ComposerPlace | null
  /** placeholder texts of an empty composer, whole */
  placeholder: RegExp | null
  /** colours of placeholder and suggested text; dim always counts */
  ghostColors: readonly Color[]
  /** the whole composer text when it stands for a paste */
  pasteStandIn: RegExp | null
  /** `besides`: the last line above the composer while the title says busy only because of work in the background */
  title: { busy: RegExp | null; dialog: RegExp | null; besides?: RegExp }
  /**
   * A line that shows an open dialog, menu or other mode. Each takes the composer's place, so while that is on the
   * screen, with the cursor in it, such words are part of a name, a status line or an answer.
   */
  dialogs: readonly { line: RegExp; what: string }[]
  /** its permission dialogs; the first line of the dialog that matches one of them decides */
  asks?: readonly AskRule[]
  busy: readonly BusySign[]
  /**
   * words in the same lines that show work in the background, which does not keep it from being typed into. If there
   * are some, a screen at rest without them shows that none runs
   */
  background?: readonly RegExp[]
  /**
   * a line of the banner that begins a conversation, and lines that show something said by either side; commands aside
   */
  fresh: { banner: RegExp; said: RegExp }
  /** the line that ends a turn that the person broke off; some give the message back as a draft instead */
  stopped?: RegExp
  /** True if the rows above such a line prove that the agent gave up by itself, though the line may mean either. */
  gaveUp?(rows: readonly string[]): boolean
}

export interface LaunchInput {
  /** root of the proxy without a trailing slash, e.g. `http://127.0.0.1:5520` */
  baseUrl: string
  /** the terminal's own local key */
  key: string
  /** what the person wants to run or pass on */
  args: readonly string[]
  /** for its files: the terminal's own, removed when that ends */
  folder: string
  /** where it starts */
  cwd: string
  /** a file of the person's: `~/…`, or below `cwd` where the path is relative; null: there is none that can be read */
  read(path: string): string | null
  platform: NodeJS.Platform
  /** it is started by root */
  root: boolean
  /** a name for its conversation, if it names none and may have to be continued */
  conversation?: string | undefined
  /** hooks of its process write here (terminals/signals); absent: it gets none */
  signalFile?: string
  /** a provider takes the client's own login: it stays the client's credential, and the key goes into the address */
  keepsLogin?: boolean
}

/** How to start the client for one process. The key is in `env` and `files` only, never in argv. */
export interface Launch {
  argv: readonly string[]
  env: Readonly<Record<string, string>>
  /** must exist, mode 0600 in folders of mode 0700, before the start */
  files: readonly { path: string; content: string }[]
  /** settings that win over all of this and may send its calls elsewhere: an argument, a file of the administrator's */
  elsewhere?: readonly string[]
}

/** A reference an agent reads anywhere in a message: `what` is global, `plain` its replacement that only looks so. */
export interface Expansion {
  what: RegExp
  plain: string
}

/**
 * The fate of an option when its agent is started again: kept (`flag`; with one `value` or all that follow), dropped
 * (alone, with its value, with one that may be left out), or a reason not to start it (`never`).
 */
export type OptionKind = 'flag' | 'value' | 'values' | 'drop' | 'drop-value' | 'drop-values' | 'drop-maybe' | 'never'

/** The words for its own resume, and the options that go along (docs/goal-mode.md). */
export interface ResumeFacts {
  /** arguments that continue a conversation, after the person's own */
  words(id: string): readonly string[]
  /** `wire`: its requests name their conversation; `argument`: only its command line can */
  known: 'wire' | 'argument'
  options: Readonly<Partial<Record<OptionKind, readonly string[]>>>
  /** those of them that open a certain conversation */
  opens: readonly string[]
  /** first words that are no prompt: these commands have no conversation to continue */
  commands: readonly string[]
  /**
   * its first word is no prompt of a conversation: `folder`: it is kept; `never`: such a run can't be continued;
   * `command`: it has to be one of these and is kept, and `commands` are first words after it
   */
  first?: 'folder' | 'never' | { command: readonly string[] }
}

export interface AgentFacts {
  client: ClientKind
  /** names of its processes, without folder and script extension */
  programs: readonly string[]
  /** parts of a script path that name it where the script's own name doesn't */
  programPaths: readonly RegExp[]
  /** the command line of its process that runs conversations beside the terminal, in sessions of their own */
  daemon?: RegExp
  /** ms between the text and Enter, at the least: up to 2 KB, and above */
  gapMs: { short: number; long: number }
  /** ms for which its composer has shown the text before Enter */
  stoodMs: number
  /** it switches bracketed paste on whenever its composer is shown */
  bracketedPaste: boolean
  /**
   * references to files, folders, skills or agents that it would read, wherever they stand in a message
   * (docs/clients.md). Replacing leaves nothing to replace, whatever zero-width characters the agent drops on the way
   */
  expands: readonly Expansion[]
  /**
   * whole messages that it carries out instead of sending them, in small letters and without white space around, and
   * how that was seen (docs/clients.md)
   */
  commands: readonly string[]
  /**
   * the command that makes room in a full context, as a person types it; absent: it does so by itself before its next
   * turn
   */
  compact?: string
  /** the command that ends a goal of its own, as a person types it */
  endGoal?: string
  /** the command that takes up a goal of its own again that Onward paused */
  resumeGoal?: string
  /** null: the screen is not known; only OSC 7501 shows its state */
  screen: ScreenFacts | null
  /** null: not measured */
  resume: ResumeFacts | null
  /** versions that were seen to take a message into a list of their own, and to send it; absent: none was */
  inbox?: { versions: readonly string[] }
  launch(input: LaunchInput): Launch
}
