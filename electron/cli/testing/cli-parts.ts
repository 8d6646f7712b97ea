import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { CliParts } from '../cli.ts'

/** Parts of the command line for a test that needs some of them; the rest throws. */
export function partsWith(parts: Partial<CliParts>): CliParts {
  const no = () => {
    throw new Error('not part of this test')
  }
  return {
    sentencesOf: async (language) => sentencesOf(language),
    checkConfig: no,
    policiesFor: async () => null,
    serve: no,
    serviceSystem: no,
    installed: no,
    runWrapped: no,
    resumeArgv: async () => null,
    openLink: no,
    installer: no,
    relay: no,
    ...parts,
  }
}
