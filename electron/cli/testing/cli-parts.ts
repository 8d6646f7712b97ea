import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { CliParts } from '../cli.ts'

/** What the command line is made of, for a test that needs some of it; the rest is not part of that test. */
export function partsWith(parts: Partial<CliParts>): CliParts {
  const no = () => {
    throw new Error('not part of this test')
  }
  return {
    sentencesOf: async (language) => sentencesOf(language),
    checkConfig: no,
    serve: no,
    serviceSystem: no,
    installed: no,
    runWrapped: no,
    resumeArgv: async () => null,
    ...parts,
  }
}
