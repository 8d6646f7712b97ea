import { useApp, useCommand, useWords } from '../app-context.ts'
import { IconButton } from './button.tsx'

/** One line to copy: a command, a path, an address. */
export function CopyLine({ text }: { text: string }) {
  const { actions } = useApp()
  const { w } = useWords()
  return (
    <div className="copy">
      <code className="mono" title={text}>
        {text}
      </code>
      <IconButton icon="copy" small name={w.say.copy} onClick={() => void actions.copy(text, w.say.copied)} />
    </div>
  )
}

/** A line of Onward's own command. @param text begins with `onward`; it is shown as this person's shell takes it */
export function CommandLine({ text }: { text: string }) {
  return <CopyLine text={text.replace(/^onward(?= )/, useCommand().replaceAll('$', '$$$$'))} />
}
