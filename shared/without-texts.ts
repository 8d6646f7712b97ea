/**
 * Members whose words are none of a conversation: ids, codes, names that a person or Onward gave. What is not named
 * here is left empty, so that a new member gives nothing away.
 */
const plain: ReadonlySet<string> = new Set([
  'alias',
  'backend',
  'baseUrl',
  'budget',
  'by',
  'class',
  'client',
  'code',
  'configPath',
  'configRevision',
  'cwd',
  'entry',
  'entryId',
  'finish',
  'home',
  'host',
  'id',
  'keyAlias',
  'kind',
  'language',
  'mode',
  'model',
  'name',
  'paneId',
  'program',
  'provider',
  'requestId',
  'route',
  'scope',
  'sessionId',
  'sessionName',
  'setBy',
  'shape',
  'source',
  'state',
  'status',
  'target',
  'targets',
  'taskId',
  'terminalId',
  'type',
  'unit',
  'version',
  'window',
  'zone',
])
/** That is there only with its words. */
const whole: ReadonlySet<string> = new Set(['asked', 'evidence', 'heldMarkers', 'leftGoal'])
/** Before the colon stands what is asked for, behind it the words of a screen. */
const kindAsked = /^(permission|question|blocker|calls-elsewhere)\b/

/** Copies an answer of the control API without what was said in conversations. @param of the member it stands in */
export function withoutTexts<T>(value: T, of = ''): T {
  return copied(value, of) as T
}

function copied(value: unknown, of: string): unknown {
  if (typeof value === 'string') return plain.has(of) ? value : of === 'what' ? (kindAsked.exec(value)?.[0] ?? '') : ''
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one: unknown) => copied(one, of))
  const members = Object.entries(value).filter(([name, one]) => one !== undefined && !whole.has(name))
  return Object.fromEntries(members.map(([name, one]) => [name, copied(one, name)]))
}
