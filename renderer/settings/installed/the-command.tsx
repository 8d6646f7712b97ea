import type { CommandState } from '../../../shared/commands/shell-calls.ts'
import { useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { CopyLine } from '../../parts/copy-line.tsx'
import { WithCode } from '../../parts/with-code.tsx'

/** `onward` for terminals, which can be installed and removed where no package brought it. */
export function TheCommand(props: { state: CommandState; busy: boolean; onSet(on: boolean): void }) {
  const { state, busy, onSet } = props
  const { w } = useWords()
  const t = w.installed
  const offPath = state.kind === 'installed' && !state.onPath
  const said = {
    absent: () => t.commandAbsent,
    installed: () => (state.kind === 'installed' ? t.commandAt(state.path) : ''),
    'with-package': () => t.commandWithPackage,
    foreign: () => (state.kind === 'foreign' ? t.commandForeign(state.path) : ''),
    impossible: () => (state.kind === 'impossible' ? t.commandNot[state.why] : ''),
  }[state.kind]()
  return (
    <div>
      <div className="set-row">
        <div>
          <h3>
            <WithCode text={t.command} />
          </h3>
          <p className="meta">
            <WithCode text={offPath ? `${said} ${t.commandOffPath}` : said} />
          </p>
        </div>
        {state.kind === 'absent' && (
          <Button busy={busy} onClick={() => onSet(true)}>
            {t.install}
          </Button>
        )}
        {state.kind === 'installed' && (
          <Button busy={busy} onClick={() => onSet(false)}>
            {t.remove}
          </Button>
        )}
      </div>
      {offPath && <CopyLine text={'export PATH="$HOME/.local/bin:$PATH"'} />}
    </div>
  )
}
