import { relative } from 'node:path'
import type { RunnerTestCase } from 'vitest'
import { TestRunner } from 'vitest'
import { writeEvidence } from './evidence.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** the folder with what was to be seen when it failed */
    evidence?: string
  }
}

/** Looks at everything a failed test has running, right after its last line and before its own tidying up. */
export default class EvidenceRunner extends TestRunner {
  async onTaskFinished({ result, meta, file, fullTestName }: RunnerTestCase): Promise<void> {
    if (result?.state !== 'fail') return
    const said = (result.errors ?? []).map(({ message, stack }) => `${message}\n${stack ?? ''}`).join('\n\n')
    meta.evidence = await writeEvidence(relative(process.cwd(), file.filepath), fullTestName, said)
  }
}
