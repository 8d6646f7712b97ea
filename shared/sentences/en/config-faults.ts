import type { FaultCode } from '../../config/config-faults.ts'
import type { ConfigProblem, ConfigTrouble, Meanwhile } from '../../config/config-text.ts'
import type { PolicyTrouble } from '../../policy/policy.ts'
import { wordOf, type ProblemFacts } from '../../problems.ts'

/** One sentence, or two: the problem, and how to write it instead. Null: another version of the engine named it. */
export function configFault({ code, facts }: { code: string; facts: ProblemFacts }): string | null {
  return isFault(code) ? sentences[code]((name) => wordOf(facts, name), facts) : null
}

type Say = (fact: (name: string) => string, facts: ProblemFacts) => string

const sentences: Readonly<Record<FaultCode, Say>> = {
  'too-large': (fact) => `The file is larger than ${fact('mebibytes')} MiB.`,
  'too-deep': () => 'Braces and brackets are nested too deeply here.',
  empty: () => 'The file is empty. Delete it to run with the defaults, or write {}.',
  syntax: (fact) => syntax[fact('kind')] ?? `The file is not valid JSON here (${fact('kind')}).`,
  'bad-name': () => 'This name can not be used.',
  twice: (fact) => `“${fact('name')}” is written twice; only one of them can count.`,
  'env-unset': (fact) => `The environment variable ${fact('name')} is not set.`,
  'env-unnamed': () =>
    'Between ${ and } stands no name of an environment variable. Write $${ for the characters themselves.',
  unchecked: (fact) => `The file can not be checked: ${fact('why')}.`,
  'link-to-nothing': (fact) => `The config file ${fact('file')} is a link to a file that is not there.`,
  unreadable: (fact) => `The config file ${fact('file')} can't be read (${fact('why')}).`,
  'not-utf8': () => 'The config file is not in UTF-8. Save it as UTF-8 first.',

  'unknown-setting': (fact) => `“${fact('name')}” is not a setting here.`,
  missing: () => 'This setting is missing.',
  'wrong-type': (fact) => `This must be ${types[fact('expected')] ?? fact('expected')}.`,
  'one-of': (_fact, { values }) => `This must be one of ${listOf(values ?? [])}.`,
  'no-form': (fact, facts) => {
    const inner = fact('inner')
    return (
      'This fits none of the forms allowed here.' +
      `${inner === '' ? '' : ` By the first: ${configFault({ code: inner, facts }) ?? ''}`}`
    )
  },
  'too-small': (fact, { above, least }) => {
    const of = fact('of')
    if (of === 'number') return `This must be ${above === true ? 'more than' : 'at least'} ${fact('least')}.`
    if (least === 1) return of === 'list' ? 'This list may not be empty.' : 'This text may not be empty.'
    return of === 'list'
      ? `This must have at least ${fact('least')} entries.`
      : `This must have at least ${fact('least')} characters.`
  },
  'too-big': (fact, { below }) => {
    const of = fact('of')
    if (of === 'number') return `This must be ${below === true ? 'less than' : 'at most'} ${fact('most')}.`
    return of === 'list'
      ? `This may have at most ${fact('most')} entries.`
      : `This may have at most ${fact('most')} characters.`
  },
  address: () => 'This must be a whole address, with http:// or https:// before it.',
  'provider-id': () => 'A provider’s name has letters, digits, - and _ only.',
  'time-of-day': () => 'This must be a time as in 22:00.',
  'bad-form': (fact) => `This must have the form ${fact('pattern')}.`,
  other: (fact) => `${fact('said')}.`,

  'key-twice': (fact) => `Two keys are called “${fact('alias')}”.`,
  'provider-key-twice': (fact) => `Two keys of ${fact('provider')} are called “${fact('alias')}”.`,
  'open-host': (fact) => `Listening on ${fact('host')} lets other machines in: set server.keys, or use 127.0.0.1.`,
  'no-base-url': (fact) => `The provider ${fact('provider')} needs a baseUrl.`,
  'via-and-own': (fact) =>
    `${fact('provider')} is reached through ${fact('engine')}, which has its key and its address: take ` +
    `${fact('member')} out here, and set it there.`,
  'two-origins': (fact) =>
    `${fact('first')} (${fact('firstOrigin')}) and ${fact('second')} (` +
    `${fact('secondOrigin')}) both take the client’s own ${fact('vendor')} ` +
    'credential. It goes to one address only: give one of them a key of its own.',
  'no-target': (fact) => `“${fact('target')}” is not a route target. Write provider.model, e.g. glm.glm-5.`,
  'route-provider': (fact) =>
    `The route ${fact('route')} names the provider “${fact('provider')}”, which is not configured.`,
  'outside-twice': (fact) => `Two places are called “${fact('name')}”.`,
  'outside-address': (fact) => `“${fact('name')}” needs an address: either url, or secretRef with a stored one.`,
  'outside-tokens': (fact) => `“${fact('name')}” has two tokens: keep either token or tokenRef.`,
  'outside-topic': (fact) => `“${fact('name')}” names no topic: write it after the server’s address.`,
  'quiet-none': (fact) => `Quiet hours from ${fact('from')} to ${fact('to')} are none.`,

  'policy-missing': (fact) => `There is no policy file ${fact('file')}, which ONWARD_POLICY names.`,
  'policy-unreadable': (fact) => `The policy file ${fact('file')} can't be read (${fact('why')}).`,
  'held-provider': (fact) => `${organisation(fact('by'))} does not allow the provider “${fact('provider')}”.`,
  'held-model': (fact) => `${organisation(fact('by'))} does not allow the model ${fact('target')}.`,
  'held-budget': (fact) => `${organisation(fact('by'))} set ${fact('setting')} to ${fact('most')} at most.`,
  'held-tool': (fact) => `${organisation(fact('by'))} switched off the tool ${fact('tool')}.`,
  'held-phone': (fact) => `${organisation(fact('by'))} does not allow phones.`,
  'held-telemetry': (fact) => `${organisation(fact('by'))} does not allow telemetry.`,
  'held-fleet': (fact) => `${organisation(fact('by'))} does not allow the fleet ${fact('fleet')}.`,
}

export const organisation = (name: string): string =>
  name === '' ? 'Your organisation' : `Your organisation (${name})`

const isFault = (code: string): code is FaultCode => Object.hasOwn(sentences, code)

const listOf = (values: ProblemFacts[string]): string =>
  Array.isArray(values) ? values.map((value) => `“${String(value)}”`).join(', ') : ''

const types: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list in [ ]',
  string: 'a text in double quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
}

const syntax: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is no JSON value. Texts stand in double quotes.',
  InvalidNumberFormat: 'This is no number.',
  PropertyNameExpected: 'A member name in double quotes is missing here.',
  ValueExpected: 'A value is missing here.',
  ColonExpected: 'A colon is missing here.',
  CommaExpected: 'A comma is missing here.',
  CloseBraceExpected: 'A closing } is missing here.',
  CloseBracketExpected: 'A closing ] is missing here.',
  EndOfFileExpected: 'The file should end here.',
  UnexpectedEndOfComment: 'A comment is not closed.',
  UnexpectedEndOfString: 'A text is not closed: the double quote at its end is missing.',
  UnexpectedEndOfNumber: 'A number is not complete.',
  InvalidUnicode: 'A \\u escape needs four hexadecimal digits.',
  InvalidEscapeCharacter: 'This escape is unknown. A backslash itself is written \\\\.',
  InvalidCharacter: 'A text must not contain control characters; write \\n for a line break.',
}

const meanwhileWords: Readonly<Record<Meanwhile, string>> = {
  before: 'The config that ran before stays in force; nothing has stopped.',
  copy: 'The last config that was right runs meanwhile.',
  nothing: 'All calls are refused until it is mended.',
}
export const meanwhile = (kind: Meanwhile): string => meanwhileWords[kind]

/** Returns the engine's English sentence for a problem that is not known here: its version may be another one. */
export const configProblem = (problem: ConfigProblem): string => configFault(problem) ?? problem.message
export const configUnread = ({ what, fault }: Pick<ConfigTrouble, 'what' | 'fault'>): string | null =>
  (fault && configFault(fault)) ?? what

const heldMeanwhile: Readonly<Record<PolicyTrouble['meanwhile'], string>> = {
  before: 'The rules read before go on.',
  nothing: 'All calls are refused until it is mended.',
}
export function policyTrouble({ source, problem, meanwhile: kind }: PolicyTrouble): string {
  const { line, column, path } = problem
  const place = line === 0 ? '' : `${source}, line ${line}, column ${column}${path === '' ? '' : ` (${path})`}: `
  return `${place}${configProblem(problem)} ${heldMeanwhile[kind]}`
}
