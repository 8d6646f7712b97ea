import { readFile } from 'node:fs/promises'
import { systemCodeOf } from '../../engine/base/errors.ts'
import { whyFailed } from '../../engine/store/store-failed.ts'
import { configFile, sayProblem } from '../commands/settings/config-file.ts'
import { bad, good, type Check } from './types.ts'

export const checkConfigFile: Check = async ({ home }, cli) => {
  const file = configFile(home)
  try {
    const problems = await cli.parts.checkConfig(await readFile(file, 'utf8'))
    if (problems.length === 0) return [good('config', `${file} is right.`)]
    return problems.map((problem) =>
      bad(
        'config',
        `Line ${problem.line}: ${sayProblem(problem)}`,
        `Edit ${file}; it is taken over as soon as it is right.`,
      ),
    )
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT')
      return [good('config', 'No config file: the defaults hold, and the simulator answers.')]
    return [bad('config', `${file} can’t be read: ${whyFailed(error)}.`, 'Check its permissions.')]
  }
}
