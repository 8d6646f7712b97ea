/** A process as the kernel shows it. */
export interface ProcessFact {
  pid: number
  /** on Linux only */
  ppid?: number
  pgid: number
  /** foreground process group of its terminal; -1 without one */
  tpgid: number
  /** name of the program, shortened to 15 characters on Linux */
  name: string
  argv: readonly string[]
}

/** The file that a process runs, and the environment that it was started with. */
export interface AgentProgram {
  file: string
  env: Readonly<Record<string, string>>
}

/** Looks at processes. Null and empty mean “not there (any more)”; it rejects when the system can't be asked. */
export interface ProcReader {
  process(pid: number): Promise<ProcessFact | null>
  /** all processes of a group */
  group(pgid: number): Promise<readonly ProcessFact[]>
  /** null: it ended, is another user's, or its file is not there any more. Absent: this system does not tell */
  program?(pid: number): Promise<AgentProgram | null>
}
