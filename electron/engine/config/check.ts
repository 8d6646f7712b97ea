import { configSchema, type Config } from '../../../shared/config/schema.ts'
import { faultOf } from '../../../shared/config/config-faults.ts'
import { messageOf } from '../base/errors.ts'
import { parsedOnce } from '../base/parsed-once.ts'
import { problemOf } from './problem-of.ts'
import { readText } from './read-text.ts'
import { brokenRules } from './rules.ts'
import { faultsOf } from './schema-faults.ts'
import type { ConfigProblem } from './types.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Checks a config text whole. `config` is there exactly when there is no problem. Never throws. */
export function checkConfig(text: string, env: Env): { config: Config | null; problems: readonly ConfigProblem[] } {
  try {
    const { read, problems } = readText(text, env)
    if (!read || problems.length > 0) return { config: null, problems }
    const checked = configSchema.safeParse(read.value, parsedOnce)
    if (!checked.success)
      return {
        config: null,
        problems: checked.error.issues.flatMap((issue) =>
          faultsOf(issue).map(({ fault, key }) => read.problemAt(issue.path, fault, key)),
        ),
      }
    const broken = brokenRules(checked.data).map((rule) => read.problemAt(rule.path, rule.fault))
    return broken.length > 0 ? { config: null, problems: broken } : { config: checked.data, problems: [] }
  } catch (error) {
    // Parser and schema call themselves for every level: a text of brackets only ends here.
    const nowhere = { line: 1, column: 1, path: '' }
    return { config: null, problems: [problemOf(nowhere, faultOf('unchecked', { why: messageOf(error) }))] }
  }
}
