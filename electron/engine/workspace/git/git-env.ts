/**
 * The environment that git runs in (git(1), git-config(1)). Empty and 0 undo what a person's own environment may set:
 * variables can only be added for a program, never removed.
 */
export const gitEnv: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  GIT_EXTERNAL_DIFF: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: '0',
  GIT_CONFIG_PARAMETERS: '',
  GIT_NAMESPACE: '',
  GIT_ALTERNATE_OBJECT_DIRECTORIES: '',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_GLOB_PATHSPECS: '0',
  GIT_NOGLOB_PATHSPECS: '0',
  GIT_ICASE_PATHSPECS: '0',
  GIT_TRACE: '0',
  GIT_TRACE2: '0',
  GIT_TRACE2_EVENT: '0',
  GIT_TRACE2_PERF: '0',
}

/** Neither the machine's nor the person's config. */
export const noOuterConfig: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
}

/** Before the command. The second fence: in a git directory of Onward's own no config names a program. */
export const gitOptions: readonly string[] = [
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.untrackedCache=false',
  // As much as is read of a file anywhere: a larger one counts as binary.
  '-c',
  'core.bigFileThreshold=8m',
  '-c',
  'core.quotePath=false',
  '-c',
  'color.ui=false',
  '-c',
  'submodule.recurse=false',
  '-c',
  'log.showSignature=false',
  '-c',
  'protocol.allow=never',
]
