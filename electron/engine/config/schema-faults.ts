import type { z } from 'zod'
import { providerIdRule, timeOfDayRule } from '../../../shared/config/names.ts'
import { faultOf, type ConfigFault } from '../../../shared/config/config-faults.ts'

/** Returns the schema's errors as faults with words of ours: the library's are in English only. */
export function faultsOf(issue: z.core.$ZodIssue): readonly { fault: ConfigFault; key?: string }[] {
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
