import { useApp, useWords } from '../app-context.ts'
import { IconButton } from '../parts/button.tsx'

/** Back to the list, where it does not stand beside. */
export function BackButton() {
  const { navigation } = useApp()
  const { w } = useWords()
  return (
    <IconButton
      icon="left"
      className="narrow-only"
      name={w.session.back}
      onClick={() => navigation.go({ view: 'sessions', selection: null })}
    />
  )
}
