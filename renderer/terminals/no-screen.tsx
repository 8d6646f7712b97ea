import { AppContext, useApp, useWords } from '../app-context.ts'
import { CommandLine } from '../parts/copy-line.tsx'
import { Empty } from '../parts/empty.tsx'

/** In the place of the screen of a terminal whose engine is asked over the hub of a fleet. */
export function NoScreen() {
  const { machine, here } = useApp()
  const { w } = useWords()
  if (machine === null) return null
  return (
    <Empty icon="term" title={w.machines.noScreen} text={w.machines.noScreenText(machine)}>
      {/* to be typed here */}
      <AppContext value={here}>
        <CommandLine text={`onward remote add ${machine}`} />
      </AppContext>
    </Empty>
  )
}
