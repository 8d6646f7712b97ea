import type { z } from 'zod'
import { configSchema, type Config } from '../../../shared/config/schema.ts'
import { messageOf } from '../base/errors.ts'
import { readText, type ReadText } from './read-text.ts'
import { brokenRules } from './rules.ts'
import type { ConfigProblem } from './types.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Checks a config text whole. `config` is there exactly when there is no problem. Never throws. */
export function checkConfig(text: string, env: Env): { config: Config | null; problems: readonly ConfigProblem[] } {
  try {
    const { read, problems } = readText(text, env)
    if (!read || problems.length > 0) return { config: null, problems }
    const checked = configSchema.safeParse(read.value)
    if (!checked.success)
      return { config: null, problems: checked.error.issues.flatMap((issue) => sayIssue(issue, read)) }
    const broken = brokenRules(checked.data).map((rule) => read.problemAt(rule.path, rule.message))
    return broken.length > 0 ? { config: null, problems: broken } : { config: checked.data, problems: [] }
  } catch (error) {
    // Parser and schema call themselves for every level: a text of brackets only ends here.
    return {
      config: null,
      problems: [{ line: 1, column: 1, path: '', message: `The file can not be checked: ${messageOf(error)}.` }],
    }
  }
}

function sayIssue(issue: z.core.$ZodIssue, read: ReadText): ConfigProblem[] {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => read.problemAt(issue.path, `“${key}” is not a setting here.`, key))
    case 'invalid_type':
      return [
        read.problemAt(
          issue.path,
          /received undefined/.test(issue.message)
            ? 'This setting is missing.'
            : `This must be ${article(issue.expected)}.`,
        ),
      ]
    case 'invalid_value':
      return [
        read.problemAt(
          issue.path,
          `This must be one of ${issue.values.map((value) => `“${String(value)}”`).join(', ')}.`,
        ),
      ]
    case 'invalid_union': {
      const [first] = issue.errors.flat()
      return [
        read.problemAt(issue.path, `This fits none of the forms allowed here${first ? ` (${first.message})` : ''}.`),
      ]
    }
    case 'invalid_key':
      return [read.problemAt(issue.path, issue.issues[0]?.message ?? 'This name is not allowed here.')]
    default:
      return [read.problemAt(issue.path, `${issue.message}.`)]
  }
}

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)
