import { useState } from 'react'
import type { EngineStatus } from '../../../shared/state.ts'
import { useWords } from '../../app-context.ts'
import { shellInstallation } from '../../control/shell.ts'
import { CopyLine } from '../../parts/copy-line.tsx'
import { WithCode } from '../../parts/with-code.tsx'
import { InShell } from './in-shell.tsx'

/** How Onward is installed here, and how it goes again. */
export function Installed({ status }: { status: EngineStatus }) {
  const { w } = useWords()
  const [shell] = useState(shellInstallation)
  const t = w.installed
  return (
    <section aria-label={t.title}>
      <h2>{t.title}</h2>
      {shell ? (
        <InShell shell={shell} />
      ) : (
        <>
          <div className="by-command">
            <h3>{t.service}</h3>
            <p className="meta">{status.service ? t.serviceRuns : t.serviceNot}</p>
            <CopyLine text={status.service ? 'onward service status' : 'onward service install'} />
          </div>
          <div className="by-command">
            <h3>{t.uninstall}</h3>
            <p className="meta">
              <WithCode text={t.uninstallBy} />
            </p>
            <CopyLine text="onward uninstall" />
          </div>
        </>
      )}
    </section>
  )
}
