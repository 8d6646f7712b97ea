import { useApp, useWords } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { Button } from '../../parts/button.tsx'
import type { ConfigText } from './use-config-text.ts'

/** Another program wrote the file while it is edited here: neither text is lost without a word. */
export function ChangedElsewhere({ config }: { config: ConfigText }) {
  const { actions } = useApp()
  const { w } = useWords()
  const t = w.config
  return (
    <div className="banner" role="alert">
      <Shape shape="needs" />
      <p className="grow wrap">
        <b>{t.changed}</b> <span className="t2">{t.changedText}</span>
      </p>
      <Button small icon="copy" onClick={() => void actions.copy(config.text ?? '', t.copied)}>
        {t.copyMine}
      </Button>
      <Button small onClick={config.takeTheirs}>
        {t.takeTheirs}
      </Button>
      <Button small onClick={config.keepMine}>
        {t.keepMine}
      </Button>
    </div>
  )
}
