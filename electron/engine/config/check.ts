import { configSchema, type Config } from '../../../shared/config/schema.ts'
import { type ConfigFault, faultOf } from '../../../shared/config/config-faults.ts'
import { messageOf } from '../base/errors.ts'
import { parsedOnce } from '../base/parse.ts'
import { problemOf } from './problem-of.ts'
import { readText } from './read-text.ts'
import { brokenRules, type BrokenRule } from './rules.ts'
import type { ConfigProblem } from './types.ts'
import type { z } from 'zod'
import { providerIdRule, timeOfDayRule } from '../../../shared/config/names.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Checks a config text whole. `config` is there exactly when there is no problem. Never throws. */
export function checkConfig(text: string, env: Env): { config: Config | null; problems: readonly ConfigProblem[] } {
  const { value: config, problems } = checkText(configSchema, text, env, brokenRules)
  return { config, problems }
}

/** The same for a text of another schema. @param env null: texts stand as they are */
export function checkText<S extends z.ZodType>(
  schema: S,
  text: string,
  env: Env | null,
  rules: (value: z.output<S>) => readonly BrokenRule[],
): { value: z.output<S> | null; problems: readonly ConfigProblem[] } {
  try {
    const { read, problems } = readText(text, env)
    if (!read || problems.length > 0) return { value: null, problems }
    const checked = schema.safeParse(read.value, parsedOnce)
    if (!checked.success)
      return {
        value: null,
        problems: checked.error.issues.flatMap((issue) =>
          faultsOf(issue).map(({ fault, key }) => read.problemAt(issue.path, fault, key)),
        ),
      }
    const broken = rules(checked.data).map((rule) => read.problemAt(rule.path, rule.fault))
    return broken.length > 0 ? { value: null, problems: broken } : { value: checked.data, problems: [] }
  } catch (error) {
    // Parser and schema call themselves for every level: a text of brackets only ends here.
    const nowhere = { line: 1, column: 1, path: '' }
    return { value: null, problems: [problemOf(nowhere, faultOf('unchecked', { why: messageOf(error) }))] }
  }
}

/** Returns the schema's errors as faults with words of ours: the library's are in English only. */
function faultsOf(issue: z.core.$ZodIssue): readonly { fault: ConfigFault; key?: string }[] {
  return issue.code === 'unrecognized_keys'
    ? issue.keys.map((name) => ({ fault: faultOf('unknown-setting', { name }), key: name }))
    : [{ fault: faultIn(issue) }]
}

type OneFault = Exclude<z.core.$ZodIssue, { code: 'unrecognized_keys' }>

function faultIn(issue: OneFault): ConfigFault {
  switch (issue.code) {
    case 'invalid_type':
      return /received undefined/.test(issue.message)
        ? faultOf('missing', {})
        : faultOf('wrong-type', { expected: issue.expected })
    case 'invalid_value':
      return faultOf('one-of', { values: issue.values.map(String) })
    case 'invalid_union': {
      const [first] = issue.errors.flat().flatMap(faultsOf)
      return faultOf('no-form', { inner: first?.fault.code ?? '', ...first?.fault.facts })
    }
    case 'too_small':
      return faultOf('too-small', {
        of: kindOf(issue.origin),
        least: Number(issue.minimum),
        above: issue.inclusive === false,
      })
    case 'too_big':
      return faultOf('too-big', {
        of: kindOf(issue.origin),
        most: Number(issue.maximum),
        below: issue.inclusive === false,
      })
    case 'invalid_format':
      return formOf(issue)
    case 'invalid_key':
      return issue.issues[0]?.code === 'invalid_format' ? formOf(issue.issues[0]) : faultOf('bad-name', {})
    default:
      return faultOf('other', { said: issue.message })
  }
}

function formOf({ format, message, pattern }: Extract<OneFault, { code: 'invalid_format' }>): ConfigFault {
  if (format === 'url') return faultOf('address', {})
  if (message === providerIdRule) return faultOf('provider-id', {})
  if (message === timeOfDayRule) return faultOf('time-of-day', {})
  return faultOf('bad-form', { pattern: pattern ?? format })
}

const kindOf = (origin: string): string => (origin === 'array' ? 'list' : origin === 'string' ? 'text' : 'number')
